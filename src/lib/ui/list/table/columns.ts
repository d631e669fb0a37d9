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
  /** ID of the column whose cells have this one's as a second line, while both are shown. */
  below?: string;
}

export interface ColumnLayout {
  shown: Readonly<Record<string, boolean>>;
  /** Pixels. */
  widths: Readonly<Record<string, number>>;
  order: readonly string[];
}

type Stackable = Pick<Column<never>, 'id' | 'below'>;

/** IDs of the columns that are a second line, each with the ID of the column above. */
export const secondLines = (columns: readonly Stackable[]): ReadonlyMap<string, string> =>
  new Map(
    columns.flatMap(({ id, below }) =>
      below !== undefined && columns.some((column) => column.id === below) ? [[id, below] as const] : [],
    ),
  );

/** Puts each second line right after its first line. */
export function orderWithSecondLines(order: readonly string[], lines: ReadonlyMap<string, string>): string[] {
  const firsts = order.filter((id) => !lines.has(id));
  return firsts.flatMap((id) => [id, ...order.filter((other) => lines.get(other) === id)]);
}

export const defaultLayout: ColumnLayout = { shown: {}, widths: {}, order: [] };

export const [minWidth, maxWidth] = [48, 1200];
export const clampWidth = (width: number): number => Math.round(Math.max(minWidth, Math.min(maxWidth, width)));

export const findTitleColumn = (
  columns: readonly Pick<Column<never>, 'id' | 'fixed' | 'card'>[],
  isCard = false,
): string | undefined => ((isCard && columns.find(({ card }) => card === 'title')) || columns.find(({ fixed }) => fixed))?.id;
