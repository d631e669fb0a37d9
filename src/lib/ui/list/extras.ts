import { atom } from 'nanostores';
import type { ComponentType, ReactNode } from 'react';
import type { DisplayProps } from './display-props.ts';
import type { ConditionsProps } from './filter/conditions-props.ts';
import type { ListStore } from './store.ts';
import type { dragColumns, resizeColumn } from './table/drag-columns.ts';

/** What a list does not wait for: it comes after the first paint, for all lists at once. */
interface ListExtras {
  /** What is asked of the list besides its search. */
  Conditions?: ComponentType<ConditionsProps>;
  /** Chooses sort and columns. */
  Display?: <Row extends { id: string }>(props: DisplayProps<Row>) => ReactNode;
  /** Reorders columns. Call on pointerdown on a column header. */
  dragColumns?: typeof dragColumns;
  /** Resizes a column. Call on mousedown or touchstart on its edge. */
  resizeColumn?: typeof resizeColumn;
  /** What people keep of lists, beside the filters. */
  Views?: ComponentType;
  /** Those views again, in the menu under their screen. */
  NavViews?: ComponentType<{ place: string }>;
  /** Beside the number of checked rows: to choose all that match, when all that was loaded was checked at once. */
  Offer?: ComponentType<{ store: Pick<ListStore<never>, '$selection' | 'controls'> }>;
}

export const $listExtras = atom<ListExtras>({});
