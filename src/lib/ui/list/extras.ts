import { atom } from 'nanostores';
import type { ComponentType, ReactNode } from 'react';
import type { DisplayProps } from './display-props.ts';
import type { ConditionsProps } from './filter/conditions-props.ts';
import type { ListStore } from './store.ts';
import type { dragColumns, resizeColumn } from './table/drag-columns.ts';

/** Loaded after the first paint, for all lists. */
interface ListExtras {
  Conditions?: ComponentType<ConditionsProps>;
  Display?: <Row extends { id: string }>(props: DisplayProps<Row>) => ReactNode;
  /** Call on pointerdown on a column header. */
  dragColumns?: typeof dragColumns;
  /** Call on pointerdown on its edge. */
  resizeColumn?: typeof resizeColumn;
  Views?: ComponentType;
  NavViews?: ComponentType<{ place: string }>;
  /** Offers to select all matching rows once all loaded ones are checked. */
  Offer?: ComponentType<{ store: Pick<ListStore<never>, '$selection' | 'controls'> }>;
}

export const $listExtras = atom<ListExtras>({});
