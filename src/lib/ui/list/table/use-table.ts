import {
  columnOrderingFeature,
  columnPinningFeature,
  columnVisibilityFeature,
  functionalUpdate,
  metaHelper,
  tableFeatures,
  useTable,
  type ColumnDef,
  type ReactTable,
  type Row as TableRow,
} from '@tanstack/react-table';
import { useCallback, useMemo, useState } from 'react';
import { readStoredJson, writeStored } from '../../../prefs/storage.ts';
import { $loginEmail } from '../../../session/session.ts';
import type { List } from '../use-list.ts';
import { titleOf, usualLayout, type Column, type Layout } from './columns.ts';

const features = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnMeta: metaHelper<Column<never>>(),
});
export type Features = typeof features;
export type GridRow<Row extends object> = TableRow<Features, Row>;
export type GridTable<Row extends object> = ReactTable<Features, Row, null>;

/** React renders for the state it passes in; the rest is subscribed to where it is read. */
const none = () => null;

/** A list's table. Its column settings are stored in this browser for each person. `shown`: the columns as they are drawn. */
export function useListTable<Row extends { id: string }>(list: List<Row>, columns: readonly Column<Row>[], isCard: boolean) {
  const storageKey = `prefs.columns.${$loginEmail.get()}.${list.resource}`;
  const [layout, setLayout] = useState(() => readStoredJson(storageKey, isLayout) ?? usualLayout);
  const keep = useCallback(
    (next: Layout) => {
      setLayout(next);
      writeStored(storageKey, next === usualLayout ? null : JSON.stringify(next));
    },
    [storageKey],
  );
  const defs = useMemo<ColumnDef<Features, Row>[]>(
    () =>
      columns.map((column) => ({
        id: column.id,
        meta: column,
        cell: ({ row }) => column.cell(row.original),
        enableHiding: !column.fixed,
      })),
    [columns],
  );
  const { shown, order, widths } = layout;
  const title = titleOf(columns, isCard);
  const state = useMemo(
    () => ({
      columnVisibility: Object.fromEntries(
        columns.map(({ id, hidden, fixed }) => [id, fixed === true || (shown[id] ?? !hidden)]),
      ),
      // A column the stored order does not know is inserted where the view has it.
      columnOrder: columns.reduce(
        (ids, { id }, at) => (ids.includes(id) ? ids : ids.toSpliced(at, 0, id)),
        order.filter((id) => columns.some((column) => column.id === id)),
      ),
      columnPinning: { start: title === undefined ? [] : [title], end: [] },
    }),
    [columns, shown, order, title],
  );
  const table = useTable<Features, Row, null>(
    {
      features,
      columns: defs,
      data: list.rows,
      getRowId: ({ id }) => id,
      state,
      onColumnVisibilityChange: (updater) => {
        const next = Object.entries({ ...shown, ...functionalUpdate(updater, state.columnVisibility) });
        const isUsual = (column: string, is: boolean) => columns.some(({ id, hidden }) => id === column && is === !hidden);
        keep({ ...layout, shown: Object.fromEntries(next.filter(([id, is]) => !isUsual(id, is))) });
      },
      onColumnOrderChange: (updater) => keep({ ...layout, order: functionalUpdate(updater, state.columnOrder) }),
    },
    none,
  );
  const placed = isCard ? table.getAllLeafColumns() : table.getVisibleLeafColumns();
  const drawn = useMemo(
    () =>
      placed.flatMap(({ id, columnDef: { meta } }) => {
        if (!meta || (isCard && id !== title && meta.card === undefined)) return [];
        const width = widths[id];
        const { grow, ...rest } = meta;
        return width === undefined ? meta : { ...rest, width };
      }),
    [placed, widths, isCard, title],
  );
  return { table, shown: drawn, layout, keep };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Widths that are none are no widths to the browser either. */
const isLayout = (value: unknown): value is Layout =>
  isObject(value) &&
  'shown' in value &&
  isObject(value.shown) &&
  'widths' in value &&
  isObject(value.widths) &&
  'order' in value &&
  Array.isArray(value.order);
