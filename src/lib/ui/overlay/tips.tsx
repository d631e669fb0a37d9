import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { floatBeside } from './floating.ts';
import { Kbd } from '../value/kbd.tsx';

interface Tip {
  label: string;
  keys: string | undefined;
  beside: HTMLElement;
}

const delay = 400;
const tipSelector = '[data-tip],button[aria-label],a[aria-label]';

/**
 * One tooltip for every button or link with a name, on hover and keyboard focus. `data-tip` overrides the text, `data-tip-keys`
 * adds keys. Escape hides it.
 */
export function Tips() {
  const [tip, setTip] = useState<Tip | null>(null);
  const popover = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    const shown = popover.current;
    if (!shown || !tip) return;
    shown.hidePopover(); // reopens above a dialog that opened since
    shown.showPopover();
    floatBeside(shown, tip.beside, 'start');
  }, [tip]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let over: HTMLElement | null = null;
    const hide = () => {
      clearTimeout(timer);
      over = null;
      setTip(null);
    };
    const show = (found: Tip | null, after: number) => {
      if (found?.beside === over) return;
      hide();
      over = found?.beside ?? null;
      if (found) timer = setTimeout(() => found.beside.isConnected && setTip(found), after);
    };
    const onOver = (event: PointerEvent) => event.pointerType === 'mouse' && show(tipOf(event.target), delay);
    const onFocus = ({ target }: FocusEvent) =>
      show(target instanceof Element && target.matches(':focus-visible') ? tipOf(target) : null, 0);
    // Touch has no hover or visible focus.
    const onClick = ({ target }: MouseEvent) =>
      target instanceof Element && target.closest('[data-exact]') && show(tipOf(target), 0);
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    addEventListener('pointerover', onOver);
    addEventListener('focusin', onFocus);
    addEventListener('click', onClick);
    addEventListener('keydown', onKey, true);
    for (const end of ['pointerdown', 'focusout', 'scroll', 'blur']) addEventListener(end, hide, true);
    return () => {
      hide();
      removeEventListener('pointerover', onOver);
      removeEventListener('focusin', onFocus);
      removeEventListener('click', onClick);
      removeEventListener('keydown', onKey, true);
      for (const end of ['pointerdown', 'focusout', 'scroll', 'blur']) removeEventListener(end, hide, true);
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

function tipOf(target: EventTarget | null): Tip | null {
  const at = target instanceof Element ? target.closest<HTMLElement>(tipSelector) : null;
  // An open menu replaces the tooltip of its button.
  if (!at || at.closest('[role="menu"]') || at.matches('[aria-haspopup][aria-expanded="true"]')) return null;
  const { tip = at.ariaLabel ?? '', tipKeys } = at.dataset;
  // Skip texts that are already visible.
  return tip === '' || (!tipKeys && at.innerText.includes(tip)) ? null : { label: tip, keys: tipKeys, beside: at };
}
