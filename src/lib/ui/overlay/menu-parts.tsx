import { Menu as HeadlessMenu, MenuButton, MenuItem as HeadlessItem, MenuItems } from '@headlessui/react';
import { Fragment, useLayoutEffect, useRef, type KeyboardEvent } from 'react';
import { Kbd } from '../value/kbd.tsx';
import { positionBeside } from './floating.ts';
import { openByClick, pressKey } from './press-key.ts';
import type { MenuItemProps, MenuProps, OpenMethod } from './menu-props.ts';

function Menu({ opener, openedBy, children, align = 'start' }: MenuProps & { openedBy: OpenMethod }) {
  const button = useRef<HTMLButtonElement>(null);

  useLayoutEffect(() => {
    if (!button.current) return;
    // The pressed button was replaced, which drops the focus.
    if (document.activeElement === document.body) button.current.focus({ preventScroll: true });
    if (openedBy === 'press')
      button.current.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }));
    else pressKey(button.current, openedBy);
  }, [openedBy]);

  return (
    <HeadlessMenu>
      <MenuButton as={Fragment} ref={button}>
        {opener({ 'aria-haspopup': 'menu', onClick: (event) => openByClick(event, button.current) })}
      </MenuButton>
      <MenuItems
        ref={(menu: HTMLElement | null) => {
          if (!menu || !button.current) return;
          menu.showPopover();
          positionBeside(menu, button.current, align);
        }}
        modal={false}
        popover="manual"
        onKeyDown={ignoreBlocked}
        className="fixed inset-auto m-0 min-w-48 rounded-card bg-overlay p-1 text-1 shadow-menu"
      >
        {children}
      </MenuItems>
    </HeadlessMenu>
  );
}

/** Ignores blocked items and held keys. */
function ignoreBlocked(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== 'Enter' && event.key !== ' ') return;
  const activeItem = document.getElementById(event.currentTarget.getAttribute('aria-activedescendant') ?? '');
  if (!event.repeat && activeItem?.ariaDisabled !== 'true') return;
  event.preventDefault();
  event.stopPropagation();
}

function MenuItem({ onSelect, icon, keys, blocked, danger = false, children }: MenuItemProps) {
  return (
    <HeadlessItem>
      <button
        type="button"
        aria-disabled={blocked ? true : undefined}
        onClick={(event) => {
          if (blocked) event.preventDefault();
          else onSelect();
        }}
        className={`ring-active flex min-h-7 w-full items-center gap-2 rounded-chip px-2 py-1 text-start text-body hover:bg-layer-hover data-focus:bg-layer-hover pointer-coarse:min-h-11 ${blocked ? 'text-2' : danger ? 'text-danger-text' : ''}`}
      >
        {icon && <span className={blocked ? 'opacity-50' : danger ? '' : 'text-2'}>{icon}</span>}
        <span className="flex-1">
          {children}
          {blocked && <span className="block text-meta text-2">{blocked}</span>}
        </span>
        {keys && <Kbd keys={keys} />}
      </button>
    </HeadlessItem>
  );
}

export const menuComponents = { Menu, Item: MenuItem };
