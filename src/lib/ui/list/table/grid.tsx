import { useStore } from '@nanostores/react';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../../i18n/i18n.ts';
import { $isPrinting } from '../../../printing.ts';
import { secondLines, type Column } from './columns.ts';
import { TableHead } from './head.tsx';
import { ListRow } from './row.tsx';
import type { ListData } from '../use-list.ts';
import type { GridTable } from './use-table.ts';
import { useRowHeight } from './use-row-height.ts';
import { useWholeColumns } from './use-whole-columns.ts';
import { useWindow } from '../use-window.ts';

const tableHead = 32;
const checkWidth = 40;
const menuWidth = 48;
/** In rem: two lines. */
const cardHeight = 4.25;
/** In rem: what a second line adds to a row. */
const secondLineHeight = 0.5;
const nearEnd = 25;

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
  const { store, rows, count, hasMore, loadMore } = list;
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useMemo(() => secondLines(isCard ? [] : columns), [isCard, columns]);
  const hasLines = lines.size > 0;
  const rowHeight = useRowHeight(isCard ? cardHeight : undefined, hasLines ? secondLineHeight : 0);
  const headHeight = isCard ? 0 : tableHead;

  // Read without a subscription, because a moved cursor must not render.
  const { cursor } = store.$selection.get();
  const cursorAt = cursor === null ? -1 : store.ids().indexOf(cursor);
  const { first, end, reveal } = useWindow(scroller, { count: rows.length, rowHeight, headHeight, cursor: cursorAt });

  useLayoutEffect(() => {
    const grid = scroller.current;
    store.parts.grid = grid;
    store.parts.reveal = reveal;
    let marked: string | null = null;
    // Sets two attributes, without a render.
    const mark = () => {
      const { cursor } = store.$selection.get();
      const named = cursor === null ? null : `${gridId}-${cursor}`;
      if (marked !== null && marked !== named) document.getElementById(marked)?.removeAttribute('data-cursor');
      marked = named;
      if (named === null) return grid?.removeAttribute('aria-activedescendant');
      document.getElementById(named)?.setAttribute('data-cursor', 'true');
      grid?.setAttribute('aria-activedescendant', named);
    };
    mark();
    const { unsubscribe } = store.$selection.subscribe(mark);
    return () => {
      unsubscribe();
      store.parts.grid = null;
      store.parts.reveal = () => {};
    };
  }, [store, reveal, gridId]);

  // aria-activedescendant must name a drawn row.
  const printing = useStore($isPrinting);
  const rendered = useMemo(
    () => (printing ? [...rows.keys()] : drawnRows(first, end, cursorAt).filter((index) => index < rows.length)),
    [printing, rows, first, end, cursorAt],
  );
  useWholeColumns(scroller, columns, isCard);
  const model = table.getRowModel().rows;
  useEffect(() => {
    if (hasMore && end >= rows.length - nearEnd) loadMore();
  }, [hasMore, end, rows.length, loadMore]);

  const question = JSON.stringify(list.query);
  const answered = list.stale ? null : question;
  const [asked, setAsked] = useState(answered);
  useLayoutEffect(() => {
    if (answered === null || answered === asked) return;
    setAsked(answered);
    scroller.current?.scrollTo({ top: 0 });
  }, [answered, asked]);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const onGrid = event.target === event.currentTarget;
    const handled =
      (onGrid && handlePageKey(event.key)) ||
      (event.target instanceof HTMLElement && focusInRow(event.key, event.shiftKey, event.target, onGrid));
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function handlePageKey(key: string): boolean {
    if (key !== 'PageDown' && key !== 'PageUp') return false;
    const visible = Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - headHeight) / rowHeight) - 1);
    store.controls.move(key === 'PageDown' ? visible : -visible);
    return true;
  }

  function focusInRow(key: string, shift: boolean, from: HTMLElement, onGrid: boolean): boolean {
    const grid = scroller.current;
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
    const forward = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    const backward = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    if (key !== forward && key !== backward && !(key === 'Escape' && !onGrid)) return false;
    const stops = [...row.querySelectorAll<HTMLElement>('a[href],button:not(:disabled)')];
    const at = stops.indexOf(from);
    const next = key === forward ? stops[at + 1] : key === backward ? stops[at - 1] : undefined;
    if (key === forward) (next ?? from).focus();
    else (next ?? grid).focus({ preventScroll: true });
    return true;
  }

  const exact = count?.kind === 'exact' && count.value >= rows.length ? count.value : hasMore ? null : rows.length;
  // The last column fills the rest, so that the menu is at the end.
  const tracks = columns.filter(({ id }) => !lines.has(id));
  const grows = tracks.some(({ grow }) => grow !== undefined);
  const template = [
    checks ? `${checkWidth}px` : '',
    ...tracks.map(({ width, grow = grows ? undefined : 0 }, at) =>
      grow === undefined || (!grows && at < tracks.length - 1) ? `${width}px` : `minmax(${width}px, ${grow || 1}fr)`,
    ),
    rowMenu ? `${menuWidth}px` : '',
  ].join(' ');
  const min = (checks ? checkWidth : 0) + tracks.reduce((sum, { width }) => sum + width, 0) + (rowMenu ? menuWidth : 0);
  return (
    <div
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={label}
      aria-rowcount={exact === null ? -1 : exact + 1}
      aria-multiselectable={checks || undefined}
      aria-busy={list.stale || undefined}
      className="group/grid relative min-h-0 flex-1 overflow-auto bg-surface outline-none"
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        const first = store.ids()[0];
        if (event.target === event.currentTarget && store.$selection.get().cursor === null && first !== undefined)
          store.controls.goTo?.(first);
      }}
    >
      <div
        data-lines={hasLines || undefined}
        style={
          {
            '--cols': isCard ? 'auto minmax(max-content,1fr) fit-content(55%) auto' : template,
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
            const row = model[index];
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
function drawnRows(first: number, end: number, cursor: number): number[] {
  const rendered = Array.from({ length: end - first }, (_, at) => first + at);
  if (cursor < 0 || (cursor >= first && cursor < end)) return rendered;
  return cursor < first ? [cursor, ...rendered] : [...rendered, cursor];
}
