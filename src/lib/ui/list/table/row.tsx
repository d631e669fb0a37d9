import { useSelector } from '@tanstack/react-store';
import type { Cell } from '@tanstack/react-table';
import { memo, type MouseEvent, type ReactNode } from 'react';
import { t } from '../../../i18n/i18n.ts';
import type { Column } from './columns.ts';
import type { ListStore } from '../store.ts';
import type { Features, GridRow } from './use-table.ts';

interface ListRowProps<Row extends { id: string }> {
  row: GridRow<Row>;
  index: number;
  top: number;
  gridId: string;
  store: ListStore<Row>;
  columns: readonly Column<never>[];
  checks: boolean;
  isCard: boolean;
  /** Whether there is a record to open. */
  opens: boolean;
  rowMenu: ((row: Row) => ReactNode) | undefined;
}

/** Half a number is another number: never cut, it would run out at its start. */
const numberCell = 'flex justify-end whitespace-nowrap tabular-nums';

/** Where a click means the thing under it, not the row. */
const own = 'a:not([data-title]),button,input,select,textarea,label,[role="menu"]';

function ListRowInner<Row extends { id: string }>({
  row,
  index,
  top,
  gridId,
  store,
  columns,
  checks,
  isCard,
  opens,
  rowMenu,
}: ListRowProps<Row>) {
  const { id } = row.original;
  const isChecked = useSelector(store.rowSelection, () => row.getIsSelected());
  // Read, not followed: the grid moves the mark by itself, and a row that is drawn anew has it where it is.
  const isCursor = store.$selection.get().cursor === id;

  function onClick(event: MouseEvent) {
    const at = event.target instanceof Element ? event.target : null;
    const isLink = at?.closest('[data-title]') != null;
    if (isLink && (event.ctrlKey || event.metaKey)) return; // in a tab of its own
    if (isLink) event.preventDefault();
    const onControl = at?.closest(own) != null;
    if (event.shiftKey && !onControl && checks) return store.extendTo(id);
    store.putCursor(id);
    // Text that was marked by dragging is not a click.
    if (!onControl && getSelection()?.isCollapsed !== false) store.openRow(id);
  }
  return (
    <div
      role="row"
      id={`${gridId}-${id}`}
      aria-rowindex={index + 2}
      aria-selected={checks ? isChecked : undefined}
      data-cursor={isCursor || undefined}
      data-checked={isChecked || undefined}
      className={`group/row absolute inset-x-0 grid h-row grid-cols-(--cols) items-center border-b border-hairline text-body hover:bg-layer-hover data-checked:bg-layer-selected row-mark ${opens ? 'cursor-pointer' : ''} ${
        isCard ? 'row-card' : ''
      }`}
      style={{ top }} // not a transform: each would be a space of its own, to be put together in every frame
      onMouseDown={(event) => event.shiftKey && event.preventDefault()} // else it marks text
      onClick={onClick}
      onContextMenu={() => store.putCursor(id)}
    >
      {checks && (
        <div
          role="gridcell"
          className={`start-0 h-full group-data-over/grid:sticky group-data-over/grid:z-1 group-data-over/grid:bg-inherit ${isCard ? 'w-10' : ''}`}
        >
          <Check id={id} index={index} store={store} isChecked={isChecked} />
        </div>
      )}
      <Cells row={row} columns={columns} checks={checks} isCard={isCard} opens={opens} rowMenu={rowMenu} />
    </div>
  );
}

interface CheckProps {
  id: string;
  index: number;
  store: Pick<ListStore<never>, 'extendTo' | 'toggle'>;
  isChecked: boolean;
}

/** Apart from its row, as the cells are. */
const Check = memo(function Check({ id, index, store, isChecked }: CheckProps) {
  return (
    <label className="flex h-full items-center justify-center">
      <input
        type="checkbox"
        tabIndex={-1}
        checked={isChecked}
        aria-label={t('list.selectRow', { n: index + 1 })}
        className="size-3.5 accent-accent"
        onChange={({ nativeEvent }) =>
          nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey ? store.extendTo(id) : store.toggle(id)
        }
        onClick={(event) => event.stopPropagation()}
      />
    </label>
  );
});

type CellsProps<Row extends { id: string }> = Pick<
  ListRowProps<Row>,
  'row' | 'columns' | 'checks' | 'isCard' | 'opens' | 'rowMenu'
>;

function CellsInner<Row extends { id: string }>({ row, columns, checks, isCard, opens, rowMenu }: CellsProps<Row>) {
  const { id } = row.original;
  const byId = new Map(columns.map((column) => [column.id, column]));
  // Not getVisibleCells(): it moves the pinned column to the front.
  const cells = row.getAllCells().filter(({ column }) => byId.has(column.id));
  /** A card has no head to say what a number is. */
  const unitOf = (column: string) => byId.get(column)?.unit && `\u00a0${byId.get(column)?.unit}`;
  const namedOnCard = (column: Column<never> | undefined) =>
    isCard &&
    column?.align === 'end' &&
    !column.unit && (
      <span className="max-w-32 min-w-0 truncate pe-1.5 font-normal text-2">{t(column.short ?? column.header)}</span>
    );
  return (
    <>
      {cells.map((cell) => (
        <div
          key={cell.column.id}
          role="gridcell"
          data-column={cell.column.id}
          className={`min-w-0 px-cell ${byId.get(cell.column.id)?.align === 'end' ? numberCell : 'truncate'} ${
            isCard
              ? (byId.get(cell.column.id)?.card ?? 'title')
              : cell.column.getIsPinned()
                ? `${pinned} ${checks ? 'start-10' : 'start-0'} group-data-over/grid:border-e`
                : ''
          }`}
        >
          {!cell.column.getIsPinned() ? (
            <>
              {namedOnCard(byId.get(cell.column.id))}
              {contentOf(cell)}
              {isCard && unitOf(cell.column.id)}
            </>
          ) : opens ? (
            <a href={hrefOf(id)} data-title tabIndex={-1} draggable={false} className="block min-w-0 truncate hover:underline">
              {contentOf(cell)}
            </a>
          ) : (
            <span className="min-w-0 truncate">{contentOf(cell)}</span>
          )}
        </div>
      ))}
      {rowMenu && (
        <div
          role="gridcell"
          data-actions
          className={`${pinned} end-0 flex items-center justify-end pe-1 group-data-over/grid:border-s`}
        >
          {rowMenu(row.original)}
        </div>
      )}
    </>
  );
}

/** Apart from their row, which is drawn again when it is checked. */
const Cells = memo(CellsInner) as typeof CellsInner;

/** What a column says of its row. Called: made a component of, it would be one more in each of a list's hundreds of cells. */
function contentOf<Row extends object>(cell: Cell<Features, Row>): ReactNode {
  const { cell: content } = cell.column.columnDef;
  return typeof content === 'function' ? content(cell.getContext()) : content;
}

/** Stays in sight while the others scroll by. */
const pinned =
  'flex h-full items-center border-hairline group-data-over/grid:sticky group-data-over/grid:z-1 group-data-over/grid:bg-inherit';

/** The record's own address, with the list as it is. */
function hrefOf(id: string): string {
  const query = new URLSearchParams(location.search);
  query.delete('whole');
  query.set('open', id);
  return `?${query}`;
}

/** One row. Drawn again when its record, place or columns change or it is checked; a cursor that comes and goes draws nothing. */
export const ListRow = memo(
  ListRowInner,
  (before, after) =>
    before.row.original === after.row.original &&
    before.index === after.index &&
    before.top === after.top &&
    before.columns === after.columns &&
    before.store === after.store &&
    before.isCard === after.isCard &&
    before.rowMenu === after.rowMenu,
) as typeof ListRowInner;
