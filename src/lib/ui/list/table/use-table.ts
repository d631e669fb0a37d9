import {
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  functionalUpdate,
  metaHelper,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type ColumnDef,
  type Column as TableColumn,
  type ReactTable,
  type Row as TableRow,
} from '@tanstack/react-table';
import { useLayoutEffect, useMemo, useState } from 'react';
import { readStoredJson, writeStored } from '../../../prefs/storage.ts';
import { $loginEmail } from '../../../session/session.ts';
import type { ListData } from '../use-list.ts';
import {
  clampWidth,
  minWidth,
  maxWidth,
  findTitleColumn,
  defaultLayout,
  orderWithSecondLines,
  secondLines,
  type Column,
  type ColumnLayout,
} from './columns.ts';

const features = tableFeatures({
  columnVisibilityFeature,
  columnOrderingFeature,
  columnPinningFeature,
  columnSizingFeature,
  rowSortingFeature,
  rowSelectionFeature,
  columnMeta: metaHelper<Column<never>>(),
});
export type Features = typeof features;
export type GridColumn<Row extends object> = TableColumn<Features, Row>;
export type GridRow<Row extends object> = TableRow<Features, Row>;
export type GridTable<Row extends object> = ReactTable<Features, Row, null>;

/** Selects no state, so that table changes render nothing here. */
const renderNothing = () => null;

/** Column settings are stored per person in this browser. */
export function useListTable<Row extends { id: string }>(list: ListData<Row>, columns: readonly Column<Row>[], isCard: boolean) {
  const { store } = list;
  const storageKey = `prefs.columns.${$loginEmail.get()}.${list.resource}`;
  const [columnLayout, setLayout] = useState(() => readStoredJson(storageKey, isLayout) ?? defaultLayout);
  const storeLayout = (nextLayout: ColumnLayout) => {
    setLayout(nextLayout);
    writeStored(storageKey, isDefaultLayout(nextLayout) ? null : JSON.stringify(nextLayout));
  };
  const columnDefs = useMemo<ColumnDef<Features, Row>[]>(
    () =>
      columns.map((column) => ({
        id: column.id,
        meta: column,
        cell: ({ row }) => column.cell(row.original),
        size: column.width,
        minSize: minWidth,
        maxSize: maxWidth,
        enableHiding: !column.fixed,
        enableSorting: column.sort !== undefined && list.sorts.includes(column.sort),
        accessorFn: ({ id }) => id,
      })),
    [columns, list.sorts],
  );
  const { shown, order, widths } = columnLayout;
  const { by, direction } = list.query.sort;
  const title = findTitleColumn(columns, isCard);
  const lines = useMemo(
    () => secondLines(columns.filter(({ id, hidden, fixed }) => fixed === true || (shown[id] ?? !hidden))),
    [columns, shown],
  );
  const state = useMemo(
    () => ({
      columnVisibility: Object.fromEntries(
        columns.map(({ id, hidden, fixed }) => [id, fixed === true || (shown[id] ?? !hidden)]),
      ),
      // Missing columns are inserted at their default position.
      columnOrder: orderWithSecondLines(
        columns.reduce(
          (ids, { id }, index) => (ids.includes(id) ? ids : ids.toSpliced(index, 0, id)),
          order.filter((id) => columns.some((column) => column.id === id)),
        ),
        lines,
      ),
      columnPinning: { start: title === undefined ? [] : [title], end: [] },
    }),
    [columns, shown, order, title, lines],
  );
  const sizes = useMemo(() => {
    const widthOf = (id: string) => widths[id] ?? columns.find((column) => column.id === id)?.width ?? minWidth;
    return { ...widths, ...Object.fromEntries([...lines].map(([id, above]) => [id, widthOf(above)])) };
  }, [columns, widths, lines]);
  const sorting = columns.filter(({ sort }) => sort === by).map(({ id }) => ({ id, desc: direction === 'desc' }));
  const table = useTable<Features, Row, null>(
    {
      features,
      columns: columnDefs,
      data: list.rows,
      getRowId: ({ id }) => id,
      atoms: { rowSelection: store.rowSelection },
      state: { ...state, columnSizing: sizes, sorting },
      manualSorting: true,
      enableMultiSort: false,
      enableSortingRemoval: false,
      sortDescFirst: true,
      onSortingChange: (updater) => {
        const [nextSorting] = functionalUpdate(updater, sorting);
        const sort = columns.find(({ id }) => id === nextSorting?.id)?.sort;
        if (nextSorting && sort !== undefined) list.setSort({ by: sort, direction: nextSorting.desc ? 'desc' : 'asc' });
      },
      onColumnVisibilityChange: (updater) => {
        const visibilityEntries = Object.entries({ ...shown, ...functionalUpdate(updater, state.columnVisibility) });
        const isDefaultVisibility = (column: string, isVisible: boolean) =>
          columns.some(({ id, hidden }) => id === column && isVisible === !hidden);
        storeLayout({
          ...columnLayout,
          shown: Object.fromEntries(visibilityEntries.filter(([id, isVisible]) => !isDefaultVisibility(id, isVisible))),
        });
      },
      onColumnOrderChange: (updater) => storeLayout({ ...columnLayout, order: functionalUpdate(updater, state.columnOrder) }),
      onColumnSizingChange: (updater) => {
        const next = functionalUpdate(updater, sizes);
        // A second line is as wide as the line above, so resizing either resizes both.
        const changed = Object.entries(next).filter(([id, width]) => width !== sizes[id]);
        const set = changed.map(([id, width]) => [lines.get(id) ?? id, clampWidth(width)]);
        storeLayout({ ...columnLayout, widths: { ...widths, ...Object.fromEntries(set) } });
      },
    },
    renderNothing,
  );
  const layoutColumns = isCard ? table.getAllLeafColumns() : table.getVisibleLeafColumns();
  const rendered = useMemo(
    () =>
      layoutColumns.flatMap((column) => {
        const { meta } = column.columnDef;
        if (!meta || (isCard && column.id !== title && meta.card === undefined)) return [];
        const { grow: _, ...rest } = meta;
        return sizes[column.id] === undefined ? meta : { ...rest, width: column.getSize() };
      }),
    [layoutColumns, sizes, isCard, title],
  );
  useLayoutEffect(() => {
    store.controls.resetColumns = () => storeLayout(defaultLayout);
    store.parts.columns = rendered;
  });
  return { table, shown: rendered, isUsual: isDefaultLayout(columnLayout) };
}

const isDefaultLayout = ({ shown, widths, order }: ColumnLayout) =>
  [shown, widths, order].every((setting) => Object.keys(setting).length === 0);

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isLayout = (value: unknown): value is ColumnLayout =>
  isObject(value) &&
  'shown' in value &&
  isObject(value.shown) &&
  'widths' in value &&
  isObject(value.widths) &&
  'order' in value &&
  Array.isArray(value.order);
