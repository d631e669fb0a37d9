import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { positionBeside } from './floating.ts';
import { Kbd } from '../value/kbd.tsx';

interface TooltipContent {
  label: string;
  keys: string | undefined;
  beside: HTMLElement;
}

const showDelayMs = 400;
const tipSelector = '[data-tip],button[aria-label],a[aria-label]';

/**
 * One tooltip for every button or link with a name, on hover and keyboard focus. `data-tip` overrides the text, `data-tip-keys`
 * adds keys. Escape hides it.
 */
export function Tooltips() {
  const [tip, setTip] = useState<TooltipContent | null>(null);
  const popover = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const tooltipElement = popover.current;
    if (!tooltipElement || !tip) return;
    tooltipElement.hidePopover(); // reopens above a dialog that opened since
    tooltipElement.showPopover();
    positionBeside(tooltipElement, tip.beside, 'start');
  }, [tip]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hoveredElement: HTMLElement | null = null;
    const hideTip = () => {
      clearTimeout(timer);
      hoveredElement = null;
      setTip(null);
    };
    const scheduleTip = (nextTip: TooltipContent | null, delayMs: number) => {
      if (nextTip?.beside === hoveredElement) return;
      hideTip();
      hoveredElement = nextTip?.beside ?? null;
      if (nextTip) timer = setTimeout(() => nextTip.beside.isConnected && setTip(nextTip), delayMs);
    };
    const onPointerOver = (event: PointerEvent) =>
      event.pointerType === 'mouse' && scheduleTip(findTip(event.target), showDelayMs);
    const onFocus = ({ target }: FocusEvent) =>
      scheduleTip(target instanceof Element && target.matches(':focus-visible') ? findTip(target) : null, 0);
    // Touch has no hover or visible focus.
    const onClick = ({ target }: MouseEvent) =>
      target instanceof Element && target.closest('[data-exact]') && scheduleTip(findTip(target), 0);
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && hideTip();
    addEventListener('pointerover', onPointerOver);
    addEventListener('focusin', onFocus);
    addEventListener('click', onClick);
    addEventListener('keydown', onKey, true);
    for (const eventName of ['pointerdown', 'focusout', 'scroll', 'blur']) addEventListener(eventName, hideTip, true);
    return () => {
      hideTip();
      removeEventListener('pointerover', onPointerOver);
      removeEventListener('focusin', onFocus);
      removeEventListener('click', onClick);
      removeEventListener('keydown', onKey, true);
      for (const eventName of ['pointerdown', 'focusout', 'scroll', 'blur']) removeEventListener(eventName, hideTip, true);
    };
  }, []);

  if (!tip) return null;
  return createPortal(
    <div
      ref={popover}
      popover="manual"
      aria-hidden="true"
      data-tip-shown
      className="pointer-events-none fixed inset-auto m-0 max-w-80 items-center gap-2 rounded-control bg-overlay px-2 py-1 text-meta text-1 shadow-menu open:flex"
    >
      {tip.label}
      {tip.keys && <Kbd keys={tip.keys} silent />}
    </div>,
    document.body,
  );
}

function findTip(target: EventTarget | null): TooltipContent | null {
  const tipElement = target instanceof Element ? target.closest<HTMLElement>(tipSelector) : null;
  // An open menu replaces the tooltip of its button.
  if (!tipElement || tipElement.closest('[role="menu"]') || tipElement.matches('[aria-haspopup][aria-expanded="true"]'))
    return null;
  const { tip = tipElement.ariaLabel ?? '', tipKeys } = tipElement.dataset;
  // Skip texts that are already visible.
  return tip === '' || (!tipKeys && tipElement.innerText.includes(tip))
    ? null
    : { label: tip, keys: tipKeys, beside: tipElement };
}
