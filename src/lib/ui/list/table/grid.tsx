import { useStore } from '@nanostores/react';
import {
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import { t } from '../../../i18n/i18n.ts';
import { $isPrinting, maxPrintedRows } from '../../../printing.ts';
import { secondLines, type Column } from './columns.ts';
import { TableHead } from './head.tsx';
import { ListRow } from './row.tsx';
import type { ListData } from '../use-list.ts';
import type { GridTable } from './use-table.ts';
import { useRowHeight } from './use-row-height.ts';
import { useWholeColumns } from './use-whole-columns.ts';
import { useWindow } from '../use-window.ts';
import { WholeList } from '../whole-list.ts';

const tableHead = 32;
const checkWidth = 40;
const menuWidth = 48;
/** In rem: two lines. */
const cardHeight = 4.25;
/** In rem: what a second line adds to a row. */
const secondLineHeight = 0.5;
const loadMoreThreshold = 25;

interface GridProps<Row extends { id: string }> {
  list: ListData<Row>;
  label: string;
  table: GridTable<Row>;
  columns: readonly Column<never>[];
  checks: boolean;
  isCard: boolean;
  rowMenu: ((row: Row) => ReactNode) | undefined;
}

/**
 * One tab stop. The cursor row is named by aria-activedescendant, so that focus survives undrawn
 * rows. The right arrow enters a row's controls.
 */
export function Grid<Row extends { id: string }>({ list, label, table, columns, checks, isCard, rowMenu }: GridProps<Row>) {
  const { store, rows, count, hasMore } = list;
  const gridId = useId();
  const scrollElement = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => secondLines(isCard ? [] : columns), [isCard, columns]);
  const hasLines = lines.size > 0;
  const rowHeight = useRowHeight(isCard ? cardHeight : undefined, hasLines ? secondLineHeight : 0);
  const headHeight = isCard ? 0 : tableHead;

  // Read without a subscription, because a moved cursor must not render.
  const { cursor } = store.$selection.get();
  const cursorIndex = cursor === null ? -1 : store.ids().indexOf(cursor);
  const isWhole = useContext(WholeList);
  const windowRows = { count: rows.length, rowHeight, headHeight, cursor: cursorIndex, isWhole };
  const { first, end, reveal, scrollToTop, countVisible } = useWindow(scrollElement, windowRows);

  useLayoutEffect(() => {
    const grid = scrollElement.current;
    store.parts.grid = grid;
    store.parts.reveal = reveal;
    let markedRowId: string | null = null;
    // Sets two attributes, without a render.
    const markCursor = () => {
      const { cursor } = store.$selection.get();
      const activeRowId = cursor === null ? null : `${gridId}-${cursor}`;
      if (markedRowId !== null && markedRowId !== activeRowId)
        document.getElementById(markedRowId)?.removeAttribute('data-cursor');
      markedRowId = activeRowId;
      if (activeRowId === null) return grid?.removeAttribute('aria-activedescendant');
      document.getElementById(activeRowId)?.setAttribute('data-cursor', 'true');
      grid?.setAttribute('aria-activedescendant', activeRowId);
    };
    markCursor();
    const { unsubscribe } = store.$selection.subscribe(markCursor);
    return () => {
      unsubscribe();
      store.parts.grid = null;
      store.parts.reveal = () => {};
    };
  }, [store, reveal, gridId]);

  // aria-activedescendant must name a drawn row.
  const isPrinting = useStore($isPrinting);
  const rendered = useMemo(
    () =>
      isPrinting
        ? [...rows.keys()].slice(0, maxPrintedRows)
        : renderedIndexes(first, end, cursorIndex).filter((index) => index < rows.length),
    [isPrinting, rows, first, end, cursorIndex],
  );
  useWholeColumns(scrollElement, columns, isCard);
  const rowModel = table.getRowModel().rows;
  useEffect(() => {
    if (hasMore && end >= rows.length - loadMoreThreshold) void store.parts.loadMore();
  }, [hasMore, end, rows.length, store]);

  const queryKey = JSON.stringify(list.query);
  const loadedQuery = list.stale ? null : queryKey;
  const [shownQuery, setShownQuery] = useState(loadedQuery);
  useLayoutEffect(() => {
    if (loadedQuery === null || loadedQuery === shownQuery) return;
    setShownQuery(loadedQuery);
    scrollToTop();
  }, [loadedQuery, shownQuery, scrollToTop]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const onGrid = event.target === event.currentTarget;
    const isHandled =
      (onGrid && handlePageKey(event.key)) ||
      (event.target instanceof HTMLElement && focusInRow(event.key, event.shiftKey, event.target, onGrid));
    if (!isHandled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function handlePageKey(key: string): boolean {
    if (key !== 'PageDown' && key !== 'PageUp') return false;
    const visibleRows = Math.max(1, countVisible() - 1);
    store.controls.move(key === 'PageDown' ? visibleRows : -visibleRows);
    return true;
  }

  function focusInRow(key: string, shift: boolean, from: HTMLElement, onGrid: boolean): boolean {
    const grid = scrollElement.current;
    const row = grid?.querySelector<HTMLElement>('[data-cursor]');
    if (!grid || !row) return false;
    if (onGrid && (key === 'ContextMenu' || (key === 'F10' && shift))) {
      const menu =
        row.querySelector<HTMLElement>('[data-actions] [aria-haspopup]') ??
        row.querySelector<HTMLElement>('[data-actions] button');
      menu?.focus();
      menu?.click();
      return menu !== null;
    }
    if (from.matches('input[type="text"],textarea,select') || from.closest('[role="menu"]')) return false;
    const forwardKey = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backwardKey = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    if (key !== forwardKey && key !== backwardKey && !(key === 'Escape' && !onGrid)) return false;
    const focusableElements = [...row.querySelectorAll<HTMLElement>('a[href],button:not(:disabled)')];
    const focusIndex = focusableElements.indexOf(from);
    const nextElement =
      key === forwardKey
        ? focusableElements[focusIndex + 1]
        : key === backwardKey
          ? focusableElements[focusIndex - 1]
          : undefined;
    if (key === forwardKey) (nextElement ?? from).focus();
    else (nextElement ?? grid).focus({ preventScroll: true });
    return true;
  }

  const exactCount = count?.kind === 'exact' && count.value >= rows.length ? count.value : hasMore ? null : rows.length;
  // The last column fills the rest, so that the menu is at the end.
  const tracks = columns.filter(({ id }) => !lines.has(id));
  const hasGrowingColumn = tracks.some(({ grow }) => grow !== undefined);
  const gridTemplate = [
    checks ? `${checkWidth}px` : '',
    ...tracks.map(({ width, grow = hasGrowingColumn ? undefined : 0 }, index) =>
      grow === undefined || (!hasGrowingColumn && index < tracks.length - 1)
        ? `${width}px`
        : `minmax(${width}px, ${grow || 1}fr)`,
    ),
    rowMenu ? `${menuWidth}px` : '',
  ].join(' ');
  const min = (checks ? checkWidth : 0) + tracks.reduce((sum, { width }) => sum + width, 0) + (rowMenu ? menuWidth : 0);
  return (
    <div
      ref={scrollElement}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={exactCount === null ? -1 : exactCount + 1}
      aria-multiselectable={checks || undefined}
      aria-busy={list.stale || undefined}
      className={`group/grid relative min-h-0 flex-1 bg-surface outline-none ${isWhole ? 'data-over:overflow-x-auto' : 'overflow-auto'}`}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const firstId = store.ids()[0];
        if (event.target === event.currentTarget && store.$selection.get().cursor === null && firstId !== undefined)
          store.controls.goTo?.(firstId);
      }}
    >
      <div
        data-lines={hasLines || undefined}
        style={
          {
            '--cols': isCard ? 'auto minmax(max-content,1fr) fit-content(55%) auto' : gridTemplate,
            ...(isCard || hasLines ? { '--row': `${rowHeight}px` } : {}),
            ...(!isCard && { minWidth: min }),
          } as Record<string, string | number>
        }
      >
        {!isCard && <TableHead table={table} columns={columns} store={store} checks={checks} menu={rowMenu !== undefined} />}
        <div
          role="rowgroup"
          className={`relative transition-opacity duration-press ${list.stale ? 'opacity-50' : ''}`}
          style={{ height: rows.length * rowHeight }}
        >
          {rendered.map((index) => {
            const row = rowModel[index];
            return (
              row && (
                <ListRow
                  key={row.id}
                  row={row}
                  index={index}
                  top={index * rowHeight}
                  gridId={gridId}
                  store={store}
                  columns={columns}
                  checks={checks}
                  isCard={isCard}
                  opens={list.opens}
                  rowMenu={rowMenu}
                />
              )
            );
          })}
        </div>
      </div>
      {list.loadingMore && (
        <div role="row" className="after-200ms sticky start-0 px-cell py-2 text-meta text-2">
          <span role="gridcell">{t('list.more')}</span>
        </div>
      )}
    </div>
  );
}

/** Includes the cursor's row. */
function renderedIndexes(firstIndex: number, endIndex: number, cursor: number): number[] {
  const rendered = Array.from({ length: endIndex - firstIndex }, (_, index) => firstIndex + index);
  if (cursor < 0 || (cursor >= firstIndex && cursor < endIndex)) return rendered;
  return cursor < firstIndex ? [cursor, ...rendered] : [...rendered, cursor];
}
