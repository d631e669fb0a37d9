import { useStore } from '@nanostores/react';
import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { t } from '../../i18n/i18n.ts';
import { Button } from '../button.tsx';
import { floatBeside } from '../floating.ts';
import type { Column } from './columns.ts';
import type { Sort } from './filters.ts';
import type { ListStore } from './store.ts';

interface DisplayProps<Row extends { id: string }> {
  columns: readonly Column<Row>[];
  shown: readonly Column<Row>[];
  changed: boolean;
  toggle: (id: string) => void;
  reset: () => void;
  sort: Sort;
  sorts: readonly string[];
  setSort: (sort: Sort) => void;
  store: ListStore<Row>;
}

/** The panel that chooses sort and columns, by mouse, by keyboard and by command. */
export function Display<Row extends { id: string }>(props: DisplayProps<Row>) {
  const { columns, shown, changed, toggle, reset, sort, sorts, setSort, store } = props;
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const before = useRef<Element | null>(null);
  const isOpen = useStore(store.$columnsOpen);

  useEffect(() => {
    const popover = panel.current;
    if (!popover || isOpen === popover.matches(':popover-open')) return;
    if (!isOpen) return popover.hidePopover();
    before.current = document.activeElement;
    popover.showPopover();
    if (opener.current) floatBeside(popover, opener.current, 'end');
    popover.querySelector<HTMLElement>('input:checked,input')?.focus();
  }, [isOpen]);

  function onKeyDown(event: KeyboardEvent) {
    event.stopPropagation(); // the list's own keys are not meant here
    if (event.key !== 'Escape') return;
    event.preventDefault();
    store.setColumnsOpen(false);
    const back = before.current instanceof HTMLElement && before.current.isConnected ? before.current : opener.current;
    back?.focus();
  }
  const sortable = columns.flatMap(({ sort: by, header }) => (by !== undefined && sorts.includes(by) ? [{ by, header }] : []));
  const box =
    'flex min-h-7 items-center gap-2 rounded-chip px-2 text-body has-enabled:hover:bg-layer-hover pointer-coarse:min-h-11';
  return (
    <>
      <Button
        ref={opener}
        look="ghost"
        icon={<SlidersHorizontal size={14} aria-hidden="true" />}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-controls={id}
        onPointerDown={(event) => isOpen && event.preventDefault()}
        onClick={() => store.setColumnsOpen(!isOpen)}
      >
        {t('list.display')}
      </Button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={t('list.displayTitle')}
        className="fixed inset-auto m-0 max-h-[70vh] w-60 overflow-y-auto rounded-card bg-overlay p-2 text-1 shadow-menu"
        onToggle={(event) => store.setColumnsOpen(event.newState === 'open')}
        onKeyDown={onKeyDown}
      >
        {isOpen && sortable.length > 0 && (
          <fieldset>
            <legend className="px-2 pb-1 text-meta font-medium text-2">{t('list.sort')}</legend>
            {sortable.flatMap(({ by, header }) =>
              (['desc', 'asc'] as const).map((direction) => (
                <label key={`${by} ${direction}`} className={box}>
                  <input
                    type="radio"
                    name={`${id}-sort`}
                    className="size-3.5 accent-accent"
                    checked={sort.by === by && sort.direction === direction}
                    onChange={() => setSort({ by, direction })}
                  />
                  {t(direction === 'desc' ? 'list.newest' : 'list.oldest', { column: t(header) })}
                </label>
              )),
            )}
          </fieldset>
        )}
        {isOpen && (
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
        )}
        {isOpen && changed && (
          <Button look="ghost" className="mt-1 w-full" onClick={reset}>
            {t('list.resetColumns')}
          </Button>
        )}
      </div>
    </>
  );
}
