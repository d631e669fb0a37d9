import type { ReactNode } from 'react';
import type { TextKey } from '../../../i18n/i18n.ts';

/** Declared once, outside its component. */
export interface Column<Row> {
  id: string;
  header: TextKey;
  /** On a card, where the column's name is too long. */
  short?: TextKey;
  unit?: string;
  cell: (row: Row) => ReactNode;
  /** The server's name of the sort. */
  sort?: string;
  align?: 'end';
  /** Pixels, the minimum if it grows. */
  width: number;
  /** Share of the remaining width. */
  grow?: number;
  /** Always shown. The first one identifies the record, is pinned and links to it. */
  fixed?: true;
  /** Place on a card. */
  card?: 'title' | 'worth' | 'state' | 'note';
  hidden?: true;
}

export interface Layout {
  shown: Readonly<Record<string, boolean>>;
  /** Pixels. */
  widths: Readonly<Record<string, number>>;
  order: readonly string[];
}

export const defaultLayout: Layout = { shown: {}, widths: {}, order: [] };

export const [leastWidth, mostWidth] = [48, 1200];
export const clampWidth = (width: number): number => Math.round(Math.max(leastWidth, Math.min(mostWidth, width)));

export const titleOf = (columns: readonly Pick<Column<never>, 'id' | 'fixed' | 'card'>[], isCard = false): string | undefined =>
  ((isCard && columns.find(({ card }) => card === 'title')) || columns.find(({ fixed }) => fixed))?.id;
