import { useSelector } from '@tanstack/react-store';
import type { Cell } from '@tanstack/react-table';
import { memo, type MouseEvent, type ReactNode } from 'react';
import { t } from '../../../i18n/i18n.ts';
import { secondLines, type Column } from './columns.ts';
import type { ListStore } from '../store.ts';
import type { Features, GridRow } from './use-table.ts';
import { columnOpacity, columnTextWidth } from './use-whole-columns.ts';

interface ListRowProps<Row extends { id: string }> {
  row: GridRow<Row>;
  index: number;
  top: number;
  gridId: string;
  store: ListStore<Row>;
  columns: readonly Column<never>[];
  checks: boolean;
  isCard: boolean;
  opens: boolean;
  rowMenu: ((row: Row) => ReactNode) | undefined;
}

/** A number is never truncated, because that would show another number. */
const numberCell = 'flex justify-end whitespace-nowrap tabular-nums';

/** A click on these does not mean the row. */
const interactiveSelector = 'a:not([data-title]),button,input,select,textarea,label,[role="menu"]';

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
  // Read once, because the grid moves the mark itself.
  const isCurrentRow = store.$selection.get().cursor === id;

  function onClick(event: MouseEvent) {
    const targetElement = event.target instanceof Element ? event.target : null;
    const isLink = targetElement?.closest('[data-title]') != null;
    if (isLink && (event.ctrlKey || event.metaKey)) return;
    if (isLink) event.preventDefault();
    const onControl = targetElement?.closest(interactiveSelector) != null;
    if (event.shiftKey && !onControl && checks) return store.extendTo(id);
    store.putCursor(id);
    // Selecting text is not a click.
    if (onControl || getSelection()?.isCollapsed === false) return;
    // If the link kept the focus, the first Escape would only leave the link.
    if (isLink) store.parts.grid?.focus({ preventScroll: true });
    store.openRow(id);
  }
  return (
    <div
      role="row"
      id={`${gridId}-${id}`}
      aria-rowindex={index + 2}
      aria-selected={checks ? isChecked : undefined}
      data-cursor={isCurrentRow || undefined}
      data-checked={isChecked || undefined}
      className={`group/row absolute inset-x-0 grid h-row grid-cols-(--cols) items-center border-b border-hairline text-body hover:bg-layer-hover data-checked:bg-layer-selected row-mark ${opens ? 'cursor-pointer' : ''} ${
        isCard ? 'row-card' : ''
      }`}
      style={{ top }} // a transform would create a layer per row
      onMouseDown={(event) => event.shiftKey && event.preventDefault()}
      onClick={onClick}
      onContextMenu={() => store.putCursor(id)}
    >
      {checks && (
        <div
          role="gridcell"
          className={`start-0 h-full group-data-over/grid:sticky group-data-over/grid:z-1 group-data-over/grid:bg-inherit ${isCard ? 'w-10' : ''}`}
        >
          <RowCheckbox id={id} index={index} store={store} isChecked={isChecked} />
        </div>
      )}
      <RowCells row={row} columns={columns} checks={checks} isCard={isCard} opens={opens} rowMenu={rowMenu} />
    </div>
  );
}

interface CheckProps {
  id: string;
  index: number;
  store: Pick<ListStore<never>, 'extendTo' | 'toggle'>;
  isChecked: boolean;
}

/** Separate, so that checking renders only this. */
const RowCheckbox = memo(function RowCheckbox({ id, index, store, isChecked }: CheckProps) {
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
  const lines = secondLines(columns);
  // getVisibleCells() would move the pinned column to the front.
  const cells = row.getAllCells().filter(({ column }) => byId.has(column.id));
  /** A card has no header to name the unit. */
  const unitSuffix = (column: string) => byId.get(column)?.unit && `\u00a0${byId.get(column)?.unit}`;
  const cardLabel = (column: Column<never> | undefined) =>
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
          data-second={(!isCard && lines.has(cell.column.id)) || undefined}
          style={isCard ? undefined : { opacity: columnOpacity(cell.column.id), maxWidth: columnTextWidth(cell.column.id) }}
          className={`min-w-0 px-cell ${byId.get(cell.column.id)?.align === 'end' ? numberCell : 'truncate'} ${
            isCard
              ? (byId.get(cell.column.id)?.card ?? 'title')
              : cell.column.getIsPinned()
                ? `${isPinned} ${checks ? 'start-10' : 'start-0'} group-data-over/grid:border-e`
                : ''
          }`}
        >
          {!cell.column.getIsPinned() ? (
            <>
              {cardLabel(byId.get(cell.column.id))}
              {renderContent(cell)}
              {isCard && unitSuffix(cell.column.id)}
            </>
          ) : opens ? (
            <a
              href={recordHref(id)}
              data-title
              tabIndex={-1}
              draggable={false}
              className="-my-1 block min-w-6 truncate py-1 hover:underline"
            >
              {renderContent(cell)}
            </a>
          ) : (
            <span className="min-w-0 truncate">{renderContent(cell)}</span>
          )}
        </div>
      ))}
      {rowMenu && (
        <div
          role="gridcell"
          data-actions
          className={`${isPinned} end-0 flex items-center justify-end pe-1 group-data-over/grid:border-s`}
        >
          {rowMenu(row.original)}
        </div>
      )}
    </>
  );
}

/** Separate from the row, which renders when it is checked. */
const RowCells = memo(CellsInner) as typeof CellsInner;

/** Called as a function, because hundreds of cells would each add a component. */
function renderContent<Row extends object>(cell: Cell<Features, Row>): ReactNode {
  const { cell: renderCell } = cell.column.columnDef;
  return typeof renderCell === 'function' ? renderCell(cell.getContext()) : renderCell;
}

const isPinned =
  'flex h-full items-center border-hairline group-data-over/grid:sticky group-data-over/grid:z-1 group-data-over/grid:bg-inherit';

function recordHref(id: string): string {
  const query = new URLSearchParams(location.search);
  query.delete('whole');
  query.set('open', id);
  return `?${query}`;
}

/** Renders for its record, place, columns or check, never for the cursor. */
export const ListRow = memo(
  ListRowInner,
  (previousProps, nextProps) =>
    previousProps.row.original === nextProps.row.original &&
    previousProps.index === nextProps.index &&
    previousProps.top === nextProps.top &&
    previousProps.columns === nextProps.columns &&
    previousProps.store === nextProps.store &&
    previousProps.isCard === nextProps.isCard &&
    previousProps.rowMenu === nextProps.rowMenu,
) as typeof ListRowInner;
