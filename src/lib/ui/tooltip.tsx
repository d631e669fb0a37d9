import { useRef, type ReactNode } from 'react';
import { floatBeside } from './floating.ts';
import { Kbd } from './kbd.tsx';

interface TooltipProps {
  /** The name of what it wraps. That must carry the name itself (`aria-label` or text): this is for the eye. */
  label: string;
  keys?: string | undefined;
  align?: 'start' | 'end';
  children: ReactNode;
}

const delay = 400;

/** Shows the name and the keys of an icon button on hover and on keyboard focus; Escape puts it away. */
export function Tooltip({ label, keys, align = 'start', children }: TooltipProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLDivElement>(null);
  const timer = useRef(0);

  const show = (after: number) => {
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      const opener = anchor.current?.firstElementChild;
      if (!tip.current?.isConnected || !(opener instanceof HTMLElement)) return;
      tip.current.showPopover();
      floatBeside(tip.current, opener, align);
    }, after);
  };
  const hide = () => {
    clearTimeout(timer.current);
    tip.current?.hidePopover();
  };

  return (
    <span
      ref={anchor}
      className="contents"
      onPointerEnter={(event) => event.pointerType === 'mouse' && show(delay)}
      onPointerLeave={hide}
      onPointerDown={hide}
      onFocus={(event) => event.target.matches(':focus-visible') && show(0)}
      onBlur={hide}
      onKeyDown={(event) => event.key === 'Escape' && hide()}
    >
      {children}
      <div
        ref={tip}
        popover="manual"
        aria-hidden="true"
        className="pointer-events-none fixed inset-auto m-0 items-center gap-2 rounded-control bg-overlay px-2 py-1 text-meta text-1 shadow-menu open:flex"
      >
        {label}
        {keys && <Kbd keys={keys} silent />}
      </div>
    </span>
  );
}
