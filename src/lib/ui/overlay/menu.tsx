import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { floatBeside } from './floating.ts';
import { Kbd } from '../value/kbd.tsx';

/** What the opener of a menu spreads on its button. */
interface Opener {
  ref: (element: HTMLButtonElement | null) => void;
  id: string;
  'aria-haspopup': 'menu';
  'aria-expanded': boolean;
  'aria-controls': string | undefined;
  onClick: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
}

interface MenuProps {
  opener: (opener: Opener) => ReactNode;
  /** MenuItem, MenuSeparator and plain text. */
  children: ReactNode;
  align?: 'start' | 'end';
}

/**
 * A menu button. The browser's own popover puts it above everything, closes it on Escape and on a press
 * outside, and needs no library; arrows, Home, End and first letters move, the focus returns to the opener.
 */
export function Menu({ opener, children, align = 'start' }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];

  const open = (place: 'first' | 'last') => {
    flushSync(() => setOpen(true));
    if (!menu.current || !button.current) return;
    menu.current.showPopover();
    floatBeside(menu.current, button.current, align);
    items()
      .at(place === 'first' ? 0 : -1)
      ?.focus();
  };
  const close = () => {
    menu.current?.hidePopover();
    button.current?.focus();
  };

  const onMenuKey = (event: KeyboardEvent) => {
    const all = items();
    const at = all.findIndex((item) => item === document.activeElement);
    const to = nextItem(event.key, at, all.length) ?? byLetter(all, at, event);
    if (event.key === 'Tab') close();
    else if (event.key === 'Escape') {
      event.stopPropagation();
      close();
      event.preventDefault();
    } else if (to !== null) {
      event.preventDefault();
      all[to]?.focus();
    }
  };

  return (
    <>
      {opener({
        ref: (element) => {
          button.current = element;
        },
        id: `${id}-opener`,
        'aria-haspopup': 'menu',
        'aria-expanded': isOpen,
        'aria-controls': isOpen ? id : undefined,
        onClick: () => (isOpen ? close() : open('first')),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          open(event.key === 'ArrowDown' ? 'first' : 'last');
        },
      })}
      {/* A list has a menu in every row: of closed ones there is nothing. */}
      {isOpen && (
        <div
          ref={menu}
          id={id}
          popover="auto"
          role="menu"
          aria-labelledby={`${id}-opener`}
          onToggle={(event) => setOpen(event.newState === 'open')}
          onKeyDown={onMenuKey}
          onClick={(event) => {
            if (event.target instanceof Element && event.target.closest('[role^="menuitem"]:not([aria-disabled="true"])'))
              close();
          }}
          className="fixed inset-auto m-0 min-w-48 rounded-card bg-overlay p-1 text-1 shadow-menu"
        >
          {children}
        </div>
      )}
    </>
  );
}

function nextItem(key: string, at: number, count: number): number | null {
  if (count === 0) return null;
  if (key === 'ArrowDown') return (at + 1) % count;
  if (key === 'ArrowUp') return (at - 1 + count) % count;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return null;
}

function byLetter(items: readonly HTMLElement[], at: number, event: KeyboardEvent): number | null {
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey || event.altKey) return null;
  const order = items.map((_, index) => (at + 1 + index) % items.length);
  return order.find((index) => items[index]?.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase())) ?? null;
}

interface MenuItemProps {
  onSelect: () => void;
  icon?: ReactNode;
  keys?: string | undefined;
  /** Why it cannot be chosen now; it stays reachable and is read out. */
  blocked?: string | undefined;
  danger?: boolean;
  children: ReactNode;
}

/** One choice of a Menu. */
export function MenuItem({ onSelect, icon, keys, blocked, danger = false, children }: MenuItemProps) {
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      aria-disabled={blocked ? true : undefined}
      onClick={() => {
        if (!blocked) onSelect();
      }}
      className={`ring-inside flex min-h-7 w-full items-center gap-2 rounded-chip px-2 py-1 text-start text-body hover:bg-layer-hover focus:bg-layer-hover pointer-coarse:min-h-11 ${blocked ? 'text-2' : danger ? 'text-danger-text' : ''}`}
    >
      {icon && <span className={blocked ? 'opacity-50' : danger ? '' : 'text-2'}>{icon}</span>}
      <span className="flex-1">
        {children}
        {blocked && <span className="block text-meta text-2">{blocked}</span>}
      </span>
      {keys && <Kbd keys={keys} />}
    </button>
  );
}

export function MenuSeparator() {
  return <div role="separator" className="-mx-1 my-1 border-t" />;
}
