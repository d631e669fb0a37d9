import type { ListStore } from './store.ts';
import type { GridTable } from './table/use-table.ts';

export interface DisplayProps<Row extends { id: string }> {
  table: GridTable<Row>;
  isUsual: boolean;
  store: ListStore<Row>;
}
