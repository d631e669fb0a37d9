import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';

/** Props for the menu's button. */
export interface OpenerProps {
  'aria-haspopup': 'menu';
  'aria-expanded'?: boolean;
  onClick: (event: MouseEvent) => void;
  onKeyDown?: (event: KeyboardEvent) => void;
}

export interface MenuProps {
  opener: (opener: OpenerProps) => ReactNode;
  /** MenuItem, MenuSeparator and plain text. */
  children: ReactNode;
  align?: 'start' | 'end';
}

/** A key opens it at the first or last item. */
export type OpenMethod = 'press' | 'ArrowDown' | 'ArrowUp';

export interface MenuItemProps {
  onSelect: () => void;
  icon?: ReactNode;
  keys?: string | undefined;
  /** Why it is unavailable. It stays reachable and is read out. */
  blocked?: string | undefined;
  danger?: boolean;
  children: ReactNode;
}
