import { useEffect, useRef } from 'react';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import type { DisplayProps } from './display.tsx';

const box =
  'flex min-h-7 items-center gap-2 rounded-chip px-2 text-body has-enabled:hover:bg-layer-hover pointer-coarse:min-h-11';

/** Sort and columns to choose from; the first choice has focus as soon as it is here. */
export function DisplayPanel<Row extends { id: string }>(props: DisplayProps<Row> & { name: string }) {
  const { name, columns, shown, changed, toggle, reset, sort, sorts, setSort } = props;
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => first.current?.querySelector<HTMLElement>('input:checked,input')?.focus(), []);
  const sortable = columns.flatMap(({ sort: by, header }) => (by !== undefined && sorts.includes(by) ? [{ by, header }] : []));
  return (
    <div ref={first}>
      {sortable.length > 0 && (
        <fieldset>
          <legend className="px-2 pb-1 text-meta font-medium text-2">{t('list.sort')}</legend>
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
                {t(direction === 'desc' ? 'page.newest' : 'page.oldest', { column: t(header) })}
              </label>
            )),
          )}
        </fieldset>
      )}
      <fieldset className="mt-2 border-t border-hairline pt-2 first:mt-0 first:border-0 first:pt-0">
        <legend className="float-start w-full px-2 pb-1 text-meta font-medium text-2">{t('list.columns')}</legend>
        {columns.map((column) => (
          <label key={column.id} className={`${box} clear-both`}>
            <input
              type="checkbox"
              className="size-3.5 accent-accent"
              checked={shown.includes(column)}
              disabled={column.fixed === true}
              onChange={() => toggle(column.id)}
            />
            {t(column.header)}
          </label>
        ))}
      </fieldset>
      {changed && (
        <Button look="ghost" className="mt-1 w-full" onClick={reset}>
          {t('page.resetColumns')}
        </Button>
      )}
    </div>
  );
}
