import { useSelector } from '@tanstack/react-store';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import { useEffect, useRef } from 'react';
import { t } from '../../../i18n/i18n.ts';
import { unitSuffix } from '../../../i18n/punctuation.ts';
import { $listExtras } from '../extras.ts';
import { secondLines, type Column } from './columns.ts';
import type { ListStore } from '../store.ts';
import type { GridTable } from './use-table.ts';
import { columnOpacity } from './use-whole-columns.ts';

interface HeadProps<Row extends { id: string }> {
  table: GridTable<Row>;
  columns: readonly Column<never>[];
  store: ListStore<Row>;
  checks: boolean;
  menu: boolean;
}

/** By keyboard, the Display panel sorts and resizes, because the grid is one tab stop. */
export function TableHead<Row extends { id: string }>({ table, columns, store, checks, menu }: HeadProps<Row>) {
  const lines = secondLines(columns);
  const setWidth = (id: string, width: number) => table.setColumnSizing((widths) => ({ ...widths, [id]: width }));
  return (
    <div
      role="rowgroup"
      className="sticky top-0 z-10 bg-surface"
      onPointerDown={(event) => $listExtras.get().dragColumns?.(event.nativeEvent, table.setColumnOrder)}
    >
      <div
        role="row"
        aria-rowindex={1}
        className="grid h-thead grid-cols-(--cols) items-center border-b border-hairline bg-surface text-meta font-medium text-2 select-none"
      >
        {checks && (
          <div role="columnheader" className="start-0 z-1 h-full bg-inherit group-data-over/grid:sticky">
            <CheckAll table={table} store={store} />
          </div>
        )}
        {columns.map(({ id, header, unit, align }) => {
          const column = table.getColumn(id);
          const sortDirection = column?.getIsSorted();
          const name = t(header);
          const headerText = (
            <span
              className={`${lines.size > 0 ? 'line-clamp-1' : 'line-clamp-2'} leading-3.5 text-balance ${align === 'end' ? 'text-end' : ''}`}
            >
              <span data-name>{name}</span>
              <span className="text-2">{unitSuffix(name, unit)}</span>
            </span>
          );
          return (
            <div
              key={id}
              role="columnheader"
              aria-sort={sortDirection ? (sortDirection === 'asc' ? 'ascending' : 'descending') : undefined}
              data-head={id}
              data-second={lines.has(id) || undefined}
              style={column?.getIsPinned() ? undefined : { opacity: columnOpacity(id) }}
              className={`relative flex h-full min-w-0 items-center gap-1 px-cell ${
                align === 'end' ? 'justify-end' : ''
              } ${column?.getIsPinned() ? `z-1 bg-inherit group-data-over/grid:sticky ${checks ? 'group-data-over/grid:start-10' : 'group-data-over/grid:start-0'}` : ''}`}
            >
              {column?.getCanSort() ? (
                <button
                  type="button"
                  tabIndex={-1}
                  onClick={column.getToggleSortingHandler()}
                  className={`-mx-1 inline-flex min-h-6 min-w-0 items-center gap-1 rounded-chip px-1 hover:bg-layer-hover hover:text-1 ${sortDirection ? 'text-1' : ''}`}
                >
                  {headerText}
                  {sortDirection &&
                    (sortDirection === 'asc' ? (
                      <ArrowUp size={12} aria-hidden="true" />
                    ) : (
                      <ArrowDown size={12} aria-hidden="true" />
                    ))}
                </button>
              ) : (
                headerText
              )}
              <div
                data-edge
                className="absolute inset-y-1 end-0 w-1.5 cursor-col-resize touch-none"
                onPointerDown={({ nativeEvent }) => $listExtras.get().resizeColumn?.(nativeEvent, setWidth)}
              />
            </div>
          );
        })}
        {menu && (
          <div role="columnheader" className="end-0 z-1 h-full bg-inherit group-data-over/grid:sticky">
            <span className="sr-only">{t('list.actions')}</span>
          </div>
        )}
      </div>
    </div>
  );
}

function CheckAll<Row extends { id: string }>({ table, store }: Pick<HeadProps<Row>, 'table' | 'store'>) {
  const box = useRef<HTMLInputElement>(null);
  const isAllSelected = useSelector(store.rowSelection, () => table.getIsAllRowsSelected());
  const isSomeSelected = useSelector(store.rowSelection, () => !isAllSelected && table.getIsSomeRowsSelected());
  useEffect(() => {
    if (box.current) box.current.indeterminate = isSomeSelected;
  }, [isSomeSelected]);
  return (
    <label className="flex h-full items-center justify-center">
      <input
        ref={box}
        type="checkbox"
        tabIndex={-1}
        checked={isAllSelected}
        aria-label={t('list.selectAll')}
        className="size-3.5 accent-accent"
        onChange={table.getToggleAllRowsSelectedHandler()}
      />
    </label>
  );
}
