import { useRef, useState } from 'react';
import { createChunk, type ChunkError } from '../../chunks/loader.ts';
import { chunkText } from '../chunk-text.ts';
import type { MenuItemProps, MenuProps, OpenedBy } from './menu-props.ts';
import { showToast } from './toasts-store.ts';

/** Headless UI's menu, loaded when a menu first opens. */
export const menuParts = createChunk(() => import('./menu-parts.tsx').then(({ menuComponents }) => menuComponents));

/** A plain button until first pressed, because a list has one in every row. */
export function Menu({ opener, ...rest }: MenuProps) {
  const [openedBy, setOpenedBy] = useState<OpenedBy | null>(null);
  const isAsked = useRef(false);

  if (openedBy && menuParts.value) return <menuParts.value.Menu opener={opener} openedBy={openedBy} {...rest} />;

  const start = (by: OpenedBy) => {
    if (isAsked.current) return;
    isAsked.current = true;
    const focused = document.activeElement;
    menuParts
      .load()
      .then(
        // Keep the focus if it has moved on.
        () => document.activeElement === focused && setOpenedBy(by),
        (error: ChunkError) => showToast({ kind: 'error', text: chunkText(error) }),
      )
      .finally(() => (isAsked.current = false));
  };
  return opener({
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: ({ detail }) => start(detail === 0 ? 'ArrowDown' : 'press'),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      start(event.key);
    },
  });
}

export const MenuItem = (props: MenuItemProps) => menuParts.value && <menuParts.value.Item {...props} />;

export function MenuSeparator() {
  return <div role="separator" className="-mx-1 my-1 border-t" />;
}
