import type { ReactNode } from 'react';
import type { TextKey } from '../../../i18n/i18n.ts';

/** A column as a view declares it, once, outside its component. */
export interface Column<Row> {
  id: string;
  header: TextKey;
  /** The unit of the numbers in it, shown in the head. */
  unit?: string;
  cell: (row: Row) => ReactNode;
  /** The server's name of the sort this column's head asks for. */
  sort?: string;
  /** Numbers stand at the end. */
  align?: 'end';
  /** Width in pixels, the least width when it grows. */
  width: number;
  /** Its share of the width left over. */
  grow?: number;
  /** Always shown. */
  fixed?: true;
  /** Not shown until chosen. */
  hidden?: true;
}
