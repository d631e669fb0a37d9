import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ChevronsLeftRight from 'lucide-react/icons/chevrons-left-right';
import ChevronsRightLeft from 'lucide-react/icons/chevrons-right-left';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import type { DisplayProps } from './display-props.ts';
import type { GridColumn } from './table/use-table.ts';

const boxClass =
  'flex min-h-7 items-center gap-2 rounded-chip px-2 text-body has-enabled:hover:bg-layer-hover pointer-coarse:min-h-11';
const widthStep = 24;

/** With Alt, arrow keys move and resize a column. */
export function DisplayPanel<Row extends { id: string }>(props: DisplayProps<Row> & { name: string }) {
  const { name, table, isUsual, store } = props;
  const firstColumn = useRef<HTMLDivElement>(null);
  useEffect(() => firstColumn.current?.querySelector<HTMLElement>('input:checked,input')?.focus(), []);
  const sortableColumns = table.getAllFlatColumns().filter((column) => column.getCanSort());

  const moveColumn = (id: string, delta: -1 | 1) =>
    table.setColumnOrder((order) => {
      const targetIndex = order.indexOf(id) + delta;
      return targetIndex in order ? order.filter((columnId) => columnId !== id).toSpliced(targetIndex, 0, id) : order;
    });
  const widenColumn = (column: GridColumn<Row>, delta: number) =>
    table.setColumnSizing((widths) => ({ ...widths, [column.id]: column.getSize() + delta }));
  const onKeyDown = (event: KeyboardEvent, column: GridColumn<Row>) => {
    if (!event.altKey) return;
    const widenKey = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') moveColumn(column.id, event.key === 'ArrowUp' ? -1 : 1);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
      widenColumn(column, event.key === widenKey ? widthStep : -widthStep);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={firstColumn}>
      {sortableColumns.length > 0 && (
        <fieldset>
          <legend className="px-2 pb-1 text-meta font-medium text-2">{t('columns.sort')}</legend>
          {sortableColumns.flatMap((column) =>
            (['desc', 'asc'] as const).map((direction) => (
              <label key={`${column.id} ${direction}`} className={boxClass}>
                <input
                  type="radio"
                  name={`${name}-sort`}
                  className="size-3.5 accent-accent"
                  checked={column.getIsSorted() === direction}
                  onChange={() => column.toggleSorting(direction === 'desc')}
                />
                {t(direction === 'desc' ? 'columns.newest' : 'columns.oldest', { column: columnName(column) })}
              </label>
            )),
          )}
        </fieldset>
      )}
      <fieldset className="mt-2 border-t border-hairline pt-2 first:mt-0 first:border-0 first:pt-0">
        <legend className="float-start w-full px-2 pb-1 text-meta font-medium text-2">{t('columns.title')}</legend>
        {table.getAllLeafColumns().map((column) => {
          const { id } = column;
          const title = columnName(column);
          return (
            <div key={id} data-choice={id} className={`${boxClass} group/choice clear-both py-0`}>
              <label className="flex min-w-0 flex-1 items-center gap-2 py-1">
                <input
                  type="checkbox"
                  className="size-3.5 accent-accent"
                  checked={column.getIsVisible()}
                  aria-disabled={!column.getCanHide() || undefined}
                  onChange={() => column.toggleVisibility()}
                  onKeyDown={(event) => onKeyDown(event, column)}
                />
                <span className="truncate">{title}</span>
              </label>
              <ColumnAction
                label={t('columns.up', { column: title })}
                icon={<ArrowUp size={14} />}
                onClick={() => moveColumn(id, -1)}
              />
              <ColumnAction
                label={t('columns.down', { column: title })}
                icon={<ArrowDown size={14} />}
                onClick={() => moveColumn(id, 1)}
              />
              <ColumnAction
                label={t('columns.narrower', { column: title })}
                icon={<ChevronsRightLeft size={14} />}
                onClick={() => widenColumn(column, -widthStep)}
              />
              <ColumnAction
                label={t('columns.wider', { column: title })}
                icon={<ChevronsLeftRight size={14} />}
                onClick={() => widenColumn(column, widthStep)}
              />
            </div>
          );
        })}
        <p className="px-2 pt-1 text-meta text-2 touch:hidden">{t('columns.keys')}</p>
      </fieldset>
      {!isUsual && (
        <Button look="ghost" className="mt-1 w-full" onClick={store.controls.resetColumns}>
          {t('columns.reset')}
        </Button>
      )}
    </div>
  );
}

const columnName = <Row extends object>({ id, columnDef: { meta } }: GridColumn<Row>) => (meta ? t(meta.header) : id);

/** For a pointer. Keys act on the column itself. */
const ColumnAction = ({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) => (
  <button
    type="button"
    tabIndex={-1}
    aria-label={label}
    className="invisible inline-flex size-6 shrink-0 items-center justify-center rounded-chip text-2 group-focus-within/choice:visible group-hover/choice:visible hover:bg-layer-active touch:visible"
    onClick={onClick}
  >
    <span aria-hidden="true">{icon}</span>
  </button>
);
