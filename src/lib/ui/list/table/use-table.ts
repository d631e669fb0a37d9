import { columnVisibilityFeature, tableFeatures, useTable, type ColumnDef, type Row as TableRow } from '@tanstack/react-table';
import { useCallback, useMemo, useState } from 'react';
import { readStoredJson, writeStored } from '../../../prefs/storage.ts';
import type { Column } from './columns.ts';

/** Only what the panel uses: sorting and filtering are the server's, the cursor and selection are the store's. */
const features = tableFeatures({ columnVisibilityFeature });
export type Features = typeof features;
export type GridRow<Row extends object> = TableRow<Features, Row>;
type Visibility = Record<string, boolean>;

const none = () => null;

/** The table's model, and which columns are shown: kept in this browser, as differences from the view's own choice. */
export function useColumns<Row extends { id: string }>(resource: string, columns: readonly Column<Row>[], rows: readonly Row[]) {
  const storageKey = `prefs.columns.${resource}`;
  const [chosen, setChosen] = useState<Visibility>(() => readStoredJson(storageKey, isVisibility) ?? {});
  const visibility = useMemo(
    () => Object.fromEntries(columns.map(({ id, hidden, fixed }) => [id, fixed === true || (chosen[id] ?? !hidden)])),
    [columns, chosen],
  );
  const defs = useMemo<ColumnDef<Features, Row>[]>(
    () => columns.map(({ id, cell, fixed }) => ({ id, cell: ({ row }) => cell(row.original), enableHiding: !fixed })),
    [columns],
  );
  const table = useTable<Features, Row, null>(
    { features, columns: defs, data: rows, getRowId: (row) => row.id, state: { columnVisibility: visibility } },
    none,
  );

  const keep = useCallback(
    (next: Visibility) => {
      setChosen(next);
      writeStored(storageKey, Object.keys(next).length === 0 ? null : JSON.stringify(next));
    },
    [storageKey],
  );
  const toggle = useCallback(
    (id: string) => {
      const { [id]: was, ...others } = chosen;
      const column = columns.find((candidate) => candidate.id === id);
      const shown = !(was ?? !column?.hidden);
      keep(shown === !column?.hidden ? others : { ...others, [id]: shown });
    },
    [chosen, columns, keep],
  );
  const reset = useCallback(() => keep({}), [keep]);
  const shown = useMemo(() => columns.filter(({ id }) => visibility[id]), [columns, visibility]);
  return { table, shown, toggle, reset, changed: Object.keys(chosen).length > 0 };
}

const isVisibility = (value: unknown): value is Visibility =>
  typeof value === 'object' && value !== null && Object.values(value).every((shown) => typeof shown === 'boolean');
