import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowUp from 'lucide-react/icons/arrow-up';
import ChevronsLeftRight from 'lucide-react/icons/chevrons-left-right';
import ChevronsRightLeft from 'lucide-react/icons/chevrons-right-left';
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import type { DisplayProps } from './display.tsx';
import { usualLayout, type Column } from './table/columns.ts';
import { inOrder } from './table/use-table.ts';

const box =
  'flex min-h-7 items-center gap-2 rounded-chip px-2 text-body has-enabled:hover:bg-layer-hover pointer-coarse:min-h-11';
const step = 24;
const [least, most] = [48, 1200];

/** Sort and columns to choose from; the first choice has focus as soon as it is here. With Alt, arrows move and widen a column. */
export function DisplayPanel<Row extends { id: string }>(props: DisplayProps<Row> & { name: string }) {
  const { name, columns, layout, keep, sort, sorts, setSort } = props;
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => first.current?.querySelector<HTMLElement>('input:checked,input')?.focus(), []);
  const sortable = columns.flatMap(({ sort: by, header }) => (by !== undefined && sorts.includes(by) ? [{ by, header }] : []));
  const ordered = inOrder(columns, layout.order);
  const isShown = ({ id, hidden, fixed }: Column<Row>) => fixed === true || (layout.shown[id] ?? !hidden);

  const toggle = (column: Column<Row>) => {
    const { [column.id]: _, ...others } = layout.shown;
    const shown = !isShown(column);
    keep({ ...layout, shown: shown === !column.hidden ? others : { ...others, [column.id]: shown } });
  };
  const move = (id: string, by: -1 | 1) => {
    const order = ordered.map((column) => column.id);
    const at = order.indexOf(id);
    if (order[at + by] !== undefined) keep({ ...layout, order: order.toSpliced(at, 1).toSpliced(at + by, 0, id) });
  };
  const widen = ({ id, width }: Column<Row>, by: number) => {
    const next = Math.max(least, Math.min(most, (layout.widths[id] ?? width) + by));
    keep({ ...layout, widths: { ...layout.widths, [id]: next } });
  };
  const onKeyDown = (event: KeyboardEvent, column: Column<Row>) => {
    if (!event.altKey) return;
    const wider = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight';
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') move(column.id, event.key === 'ArrowUp' ? -1 : 1);
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') widen(column, event.key === wider ? step : -step);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={first}>
      {sortable.length > 0 && (
        <fieldset>
          <legend className="px-2 pb-1 text-meta font-medium text-2">{t('columns.sort')}</legend>
          {sortable.flatMap(({ by, header }) =>
            (['desc', 'asc'] as const).map((direction) => (
              <label key={`${by} ${direction}`} className={box}>
                <input
                  type="radio"
                  name={`${name}-sort`}
                  className="size-3.5 accent-accent"
                  checked={sort.by === by && sort.direction === direction}
                  onChange={() => setSort({ by, direction })}
                />
                {t(direction === 'desc' ? 'columns.newest' : 'columns.oldest', { column: t(header) })}
              </label>
            )),
          )}
        </fieldset>
      )}
      <fieldset className="mt-2 border-t border-hairline pt-2 first:mt-0 first:border-0 first:pt-0">
        <legend className="float-start w-full px-2 pb-1 text-meta font-medium text-2">{t('columns.title')}</legend>
        {ordered.map((column) => (
          <div key={column.id} data-choice={column.id} className={`${box} group/choice clear-both py-0`}>
            <label className="flex min-w-0 flex-1 items-center gap-2 py-1">
              <input
                type="checkbox"
                className="size-3.5 accent-accent"
                checked={isShown(column)}
                aria-disabled={column.fixed}
                onChange={() => !column.fixed && toggle(column)}
                onKeyDown={(event) => onKeyDown(event, column)}
              />
              <span className="truncate">{t(column.header)}</span>
            </label>
            <Act
              label={t('columns.up', { column: t(column.header) })}
              icon={<ArrowUp size={14} />}
              onClick={() => move(column.id, -1)}
            />
            <Act
              label={t('columns.down', { column: t(column.header) })}
              icon={<ArrowDown size={14} />}
              onClick={() => move(column.id, 1)}
            />
            <Act
              label={t('columns.narrower', { column: t(column.header) })}
              icon={<ChevronsRightLeft size={14} />}
              onClick={() => widen(column, -step)}
            />
            <Act
              label={t('columns.wider', { column: t(column.header) })}
              icon={<ChevronsLeftRight size={14} />}
              onClick={() => widen(column, step)}
            />
          </div>
        ))}
        <p className="px-2 pt-1 text-meta text-2 touch:hidden">{t('columns.keys')}</p>
      </fieldset>
      {layout !== usualLayout && (
        <Button look="ghost" className="mt-1 w-full" onClick={() => keep(usualLayout)}>
          {t('columns.reset')}
        </Button>
      )}
    </div>
  );
}

/** For the pointer: by keys the same is done on the column itself. */
const Act = ({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) => (
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
