import type { ReactNode } from 'react';
import type { TextKey } from '../../../i18n/i18n.ts';

/** A column as a view declares it, once, outside its component. */
export interface Column<Row> {
  id: string;
  header: TextKey;
  /** What it is called on a card, where its head is too long for one. */
  short?: TextKey;
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
  /** Always shown. The first of them says which record it is: it is pinned, and the link to it. */
  fixed?: true;
  /** Where it stands on a card, on a small screen: what the record is, if not the first fixed one, what it is worth beside it, its state and a note below. */
  card?: 'title' | 'worth' | 'state' | 'note';
  /** Not shown until chosen. */
  hidden?: true;
}

/** How a person has a list's columns, where that differs from the view's own. */
export interface Layout {
  shown: Readonly<Record<string, boolean>>;
  /** Pixels. */
  widths: Readonly<Record<string, number>>;
  /** Ids, as far as they are known. */
  order: readonly string[];
}

export const usualLayout: Layout = { shown: {}, widths: {}, order: [] };

export const [leastWidth, mostWidth] = [48, 1200];
export const clampWidth = (width: number): number => Math.round(Math.max(leastWidth, Math.min(mostWidth, width)));

/** The column that says which record a row, or a card, is. */
export const titleOf = (columns: readonly Pick<Column<never>, 'id' | 'fixed' | 'card'>[], isCard = false): string | undefined =>
  ((isCard && columns.find(({ card }) => card === 'title')) || columns.find(({ fixed }) => fixed))?.id;
