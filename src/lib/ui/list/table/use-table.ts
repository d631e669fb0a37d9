import { tableFeatures, useTable, type ColumnDef, type Row as TableRow } from '@tanstack/react-table';
import { useCallback, useMemo, useState } from 'react';
import { readStoredJson, writeStored } from '../../../prefs/storage.ts';
import { $loginEmail } from '../../../session/session.ts';
import { titleOf, usualLayout, type Column, type Layout } from './columns.ts';

/** Only what the panel uses: sorting and filtering are the server's, the cursor and selection are the store's, the columns come chosen. */
const features = tableFeatures({});
export type Features = typeof features;
export type GridRow<Row extends object> = TableRow<Features, Row>;

const none = () => null;

/** How a list's columns stand: kept in this browser for each person. A card shows its own choice of them. */
export function useColumns<Row extends { id: string }>(resource: string, columns: readonly Column<Row>[], isCard: boolean) {
  const storageKey = `prefs.columns.${$loginEmail.get()}.${resource}`;
  const [layout, setLayout] = useState(() => readStoredJson(storageKey, isLayout) ?? usualLayout);
  const ordered = useMemo(() => inOrder(columns, layout.order), [columns, layout]);
  const visible = useMemo(() => {
    const title = titleOf(columns, isCard);
    return ordered.filter(({ id, hidden, fixed, card }) =>
      isCard ? id === title || card !== undefined : fixed === true || (layout.shown[id] ?? !hidden),
    );
  }, [columns, ordered, layout, isCard]);
  const keep = useCallback(
    (next: Layout) => {
      setLayout(next);
      writeStored(storageKey, next === usualLayout ? null : JSON.stringify(next));
    },
    [storageKey],
  );
  const shown = useMemo(
    () =>
      visible.map((column) => {
        const width = layout.widths[column.id];
        if (width === undefined) return column;
        const { grow: _, ...rest } = column;
        return { ...rest, width };
      }),
    [visible, layout],
  );
  return { shown, layout, keep };
}

/** The table's model of the rows that are drawn: of ten thousand, two dozen. */
export function useRowModel<Row extends { id: string }>(columns: readonly Column<Row>[], drawn: readonly Row[]): GridRow<Row>[] {
  const defs = useMemo<ColumnDef<Features, Row>[]>(
    () => columns.map(({ id, cell }) => ({ id, cell: ({ row }) => cell(row.original) })),
    [columns],
  );
  return useTable<Features, Row, null>({ features, columns: defs, data: drawn, getRowId: (row) => row.id }, none).getRowModel()
    .rows;
}

/** New columns stand where the view has them. */
export function inOrder<Row>(columns: readonly Column<Row>[], order: readonly string[]): readonly Column<Row>[] {
  if (order.length === 0) return columns;
  const at = ({ id }: Column<Row>) => (order.includes(id) ? order.indexOf(id) : columns.findIndex((one) => one.id === id));
  return columns.toSorted((one, other) => at(one) - at(other));
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
