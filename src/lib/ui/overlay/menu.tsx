import { useRef, useState } from 'react';
import { createChunk, type ChunkError } from '../../chunks/loader.ts';
import { chunkText } from '../chunk-text.ts';
import type { MenuItemProps, MenuProps, OpenMethod } from './menu-props.ts';
import { showToast } from './toasts-store.ts';

/** Headless UI's menu, loaded when a menu first opens. */
export const menuChunk = createChunk(() => import('./menu-parts.tsx').then(({ menuComponents }) => menuComponents));

/** A plain button until first pressed, because a list has one in every row. */
export function Menu({ opener, ...rest }: MenuProps) {
  const [openMethod, setOpenMethod] = useState<OpenMethod | null>(null);
  const isOpenRequested = useRef(false);

  if (openMethod && menuChunk.value) return <menuChunk.value.Menu opener={opener} openedBy={openMethod} {...rest} />;

  const start = (method: OpenMethod) => {
    if (isOpenRequested.current) return;
    isOpenRequested.current = true;
    const focusedElement = document.activeElement;
    menuChunk
      .load()
      .then(
        // Keep the focus if it has moved on.
        () => document.activeElement === focusedElement && setOpenMethod(method),
        (error: ChunkError) => showToast({ kind: 'error', text: chunkText(error) }),
      )
      .finally(() => (isOpenRequested.current = false));
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

export const MenuItem = (props: MenuItemProps) => menuChunk.value && <menuChunk.value.Item {...props} />;

export function MenuSeparator() {
  return <div role="separator" className="-mx-1 my-1 border-t" />;
}
