import { useStore } from '@nanostores/react';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleSlash from 'lucide-react/icons/circle-slash';
import Hourglass from 'lucide-react/icons/hourglass';
import X from 'lucide-react/icons/x';
import { useEffect, useLayoutEffect, useRef, useState, type CSSProperties, type FocusEvent } from 'react';
import { createPortal } from 'react-dom';
import { t } from '../../i18n/i18n.ts';
import { $paletteOpen } from '../../scope.ts';
import { $toasts, dropToast, isPersistent, toastDurationMs, type Toast } from './toasts-store.ts';
import { IconButton } from '../button.tsx';
import { Kbd } from '../value/kbd.tsx';

const kindClasses = {
  success: { Icon: CircleCheck, colour: 'text-ok-icon' },
  error: { Icon: CircleAlert, colour: 'text-bad-icon' },
  waiting: { Icon: Hourglass, colour: 'text-2' },
  blocked: { Icon: CircleSlash, colour: 'text-warn-icon' },
} as const;

/** In its own element under the body, so that a dialog neither mutes toasts nor treats a click on them as outside. */
export function Toaster() {
  const toasts = useStore($toasts);
  const isCovered = useStore($paletteOpen);
  const { held: isHeld, ...holding } = usePausedTimers(toasts);
  const toastPosition = useToastPosition(toasts.length > 0);
  return createPortal(
    <div
      role="region"
      aria-label={t('value.notifications')}
      // On small screens the palette is a sheet at the bottom.
      className={`pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-end gap-2 p-4 pb-18 ${isCovered ? 'max-md:top-0 max-md:bottom-auto' : ''}`}
      style={toastPosition}
      {...holding}
    >
      <div role="log" aria-live="polite" aria-relevant="additions" className="flex w-full flex-col items-end gap-2">
        {toasts.map((toast) => (
          <ToastNotice key={toast.id} toast={toast} held={isHeld} />
        ))}
      </div>
    </div>,
    createToastHost(),
  );
}

function ToastNotice({ toast, held: isHeld }: { toast: Toast; held: boolean }) {
  const { id, kind, text, requestId, link, action } = toast;
  useEffect(() => {
    if (isPersistent(kind) || isHeld) return;
    const timer = setTimeout(() => dropToast(id), toastDurationMs);
    return () => clearTimeout(timer);
  }, [id, kind, isHeld]);

  const { Icon, colour } = kindClasses[kind];
  return (
    <div
      data-toast={kind}
      className="pointer-events-auto flex w-full max-w-96 items-center gap-2 rounded-card bg-overlay py-1.5 ps-3 pe-1.5 text-body text-1 shadow-menu"
    >
      <Icon size={16} aria-hidden="true" className={colour} />
      <span className="min-w-0 flex-1 py-0.5 break-words">
        <span className="whitespace-pre-line">{text}</span>
        {link && (
          <span className="-ms-2 flex flex-wrap">
            <ToastAction id={id} of={link} />
            {action && <ToastAction id={id} of={action} />}
          </span>
        )}
        {requestId && <span className="block font-mono text-meta text-2">{t('errors.requestId', { id: requestId })}</span>}
      </span>
      {!link && action && <ToastAction id={id} of={action} />}
      {kind !== 'waiting' && (
        <IconButton label={t('common.close')} icon={<X size={14} aria-hidden="true" />} onClick={() => dropToast(id)} />
      )}
    </div>
  );
}

function ToastAction({ id, of: { label, keys, run } }: { id: number; of: NonNullable<Toast['action']> }) {
  return (
    <button
      type="button"
      className="inline-flex h-control shrink-0 items-center gap-1.5 rounded-control px-2 font-medium text-accent-text hover:bg-layer-hover"
      onClick={() => {
        dropToast(id);
        run();
      }}
    >
      {label}
      {keys && <Kbd keys={keys} />}
    </button>
  );
}

/** Pauses while hovered or focused. A focused toast that closes passes the focus on. */
function usePausedTimers(toasts: readonly Toast[]) {
  const [isHeld, setIsHeld] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  const focus = useRef<{ from: HTMLElement | null } | null>(null); // null: outside the toasts
  useLayoutEffect(() => {
    const region = ref.current;
    if (!region || region.contains(document.activeElement)) return;
    // Removing an element fires no blur event.
    if (focus.current && document.activeElement === document.body)
      ([...region.querySelectorAll('button')].at(-1) ?? focus.current.from)?.focus({ preventScroll: true });
    if (!region.matches(':focus-within')) focus.current = null;
    if (!region.matches(':hover,:focus-within')) setIsHeld(false);
  }, [toasts]);
  return {
    held: isHeld,
    ref,
    onPointerEnter: () => setIsHeld(true),
    onPointerLeave: () => setIsHeld(false),
    onFocus: ({ relatedTarget }: FocusEvent<HTMLDivElement>) => {
      focus.current ??= { from: relatedTarget instanceof HTMLElement ? relatedTarget : null };
      setIsHeld(true);
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLDivElement>) => {
      if (!currentTarget.contains(relatedTarget)) focus.current = null;
      setIsHeld(false);
    },
  };
}

const menuWidth = 48;
const gapPx = 8;
const maxWidth = 384;

/** Keeps the bar below a list and its row menus clear, also on the next screen that opens. */
function useToastPosition(isShown: boolean): CSSProperties | undefined {
  const [toastPosition, setToastPosition] = useState<CSSProperties>();
  useLayoutEffect(() => {
    if (!isShown) return setToastPosition(undefined);
    let list: { grid: Element; foot: Element } | null = null;
    const resizeObserver = new ResizeObserver(() => updatePosition());
    const updatePosition = () => {
      if (!list?.grid.isConnected || !list.foot.isConnected) return;
      const { left, right } = list.grid.getBoundingClientRect();
      const spaceBeside = document.dir === 'rtl' ? left : innerWidth - right;
      setToastPosition({
        paddingBottom: innerHeight - list.foot.getBoundingClientRect().top + gapPx,
        ...(spaceBeside < maxWidth + 2 * gapPx ? { paddingInlineEnd: spaceBeside + menuWidth + 2 * gapPx } : {}),
      });
    };
    const findList = () => {
      if (list?.grid.isConnected && list.foot.isConnected) return;
      resizeObserver.disconnect();
      const grid = document.querySelector('main [role="grid"]');
      const footer = document.querySelector('[data-foot]');
      list = grid && footer ? { grid, foot: footer } : null;
      if (!list) return setToastPosition(undefined);
      for (const element of [list.grid, list.foot, document.body]) resizeObserver.observe(element);
    };
    const mutationObserver = new MutationObserver(findList);
    mutationObserver.observe(document.body, { childList: true, subtree: true });
    findList();
    return () => {
      mutationObserver.disconnect();
      resizeObserver.disconnect();
    };
  }, [isShown]);
  return toastPosition;
}

let element: HTMLElement | null = null;

function createToastHost(): HTMLElement {
  if (element?.isConnected) return element;
  element = document.createElement('div');
  element.id = 'toasts';
  document.body.append(element);
  return element;
}
