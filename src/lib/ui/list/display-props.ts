import type { ListStore } from './store.ts';
import type { GridTable } from './table/use-table.ts';

export interface DisplayProps<Row extends { id: string }> {
  table: GridTable<Row>;
  /** No column setting differs from the view's own. */
  isUsual: boolean;
  store: ListStore<Row>;
}
