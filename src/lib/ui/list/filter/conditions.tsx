import { useStore } from '@nanostores/react';
import ListFilter from 'lucide-react/icons/list-filter';
import X from 'lucide-react/icons/x';
import { useEffect, useRef, type KeyboardEvent } from 'react';
import { createChunk } from '../../../chunks/loader.ts';
import { useChunk } from '../../../chunks/use-chunk.ts';
import { t } from '../../../i18n/i18n.ts';
import { Button, IconButton } from '../../button.tsx';
import { FailedChunk } from '../../failed-part.tsx';
import { visibleOpener, type ConditionsProps, type EarlyKeys } from './conditions-props.ts';
import { describeCondition } from './describe.ts';
import { findSearchField, type Filter } from './filters.ts';
import { useNames } from './use-names.ts';

const menuChunk = createChunk(() => import('./filter-menu.tsx').then(({ FilterMenu }) => FilterMenu));

export function Conditions({ list }: ConditionsProps) {
  const { filters, filtered, setFilter, clearFilter, store } = list;
  const values = list.query.filter;
  const searchField = findSearchField(filters);
  const conditionFilters = Object.entries(filters).filter(([name]) => name !== searchField);
  const activeFilters = conditionFilters.filter(([name]) => values[name] !== undefined);
  const openFilter = useStore(store.$filter);
  const menu = useChunk(menuChunk, openFilter !== null);
  const opener = useRef<HTMLButtonElement>(null);
  const chipList = useRef<HTMLDivElement>(null);
  const earlyKeys = useRef<EarlyKeys>({ text: '', entered: false });

  const findChip = (name: string) => chipList.current?.querySelector<HTMLElement>(`[data-filter="${name}"]`) ?? null;
  function removeCondition(name: string) {
    const names = activeFilters.map(([name]) => name);
    const nextName = names[names.indexOf(name) + 1] ?? names[names.indexOf(name) - 1];
    (nextName === undefined ? visibleOpener(opener.current, store) : findChip(nextName)?.querySelector('button'))?.focus();
    setFilter({ [name]: undefined });
  }
  function closeEarlyText(name: string | null) {
    Object.assign(earlyKeys.current, { text: '', entered: false });
    store.controls.closeFilter();
    visibleOpener((name === null ? null : findChip(name)?.querySelector('button')) ?? opener.current, store)?.focus();
  }
  if (conditionFilters.length === 0) return null;
  return (
    <>
      <Button
        ref={opener}
        look="ghost"
        icon={<ListFilter size={14} aria-hidden="true" />}
        aria-haspopup="dialog"
        aria-expanded={openFilter !== null}
        data-command="list.addFilter"
        className="max-sm:hidden"
        onClick={() => store.controls.openFilter()}
      >
        {t('page.filter')}
      </Button>
      <div ref={chipList} className="contents">
        {activeFilters.map(([name, filter]) => (
          <ConditionChip
            key={name}
            name={name}
            filter={filter}
            asked={values[name] ?? ''}
            onEdit={() => store.controls.openFilter(name)}
            onRemove={() => removeCondition(name)}
            onFlip={(flippedFilter) => setFilter({ [name]: flippedFilter })}
          />
        ))}
      </div>
      {filtered && (
        <Button look="ghost" icon={<X size={14} aria-hidden="true" />} onClick={clearFilter}>
          {t('list.clearFilter')}
        </Button>
      )}
      {openFilter !== null &&
        (menu.value ? (
          <menu.value
            key={`${openFilter.name} ${openFilter.like}`}
            list={list}
            like={openFilter.like ? (store.controls.cells?.() ?? null) : null}
            filters={Object.fromEntries(conditionFilters)}
            name={openFilter.name}
            early={earlyKeys.current}
            opener={(openFilter.name === null ? null : findChip(openFilter.name)) ?? opener.current}
          />
        ) : (
          <>
            <EarlyText label={t('page.filter')} early={earlyKeys.current} onLeave={() => closeEarlyText(openFilter.name)} />
            <FailedChunk {...menu} />
          </>
        ))}
    </>
  );
}

/** Keeps keys typed before the menu is loaded. */
export function EarlyText({ label, early, onLeave }: { label: string; early: EarlyKeys; onLeave: () => void }) {
  useEffect(() => {
    early.text = '';
    early.entered = false;
  }, [early]);
  return (
    <input
      autoFocus
      aria-label={label}
      aria-busy="true"
      className="h-control w-20 rounded-control border border-control bg-surface px-2 text-body text-1"
      onChange={({ target }) => {
        if (!early.entered) early.text = target.value;
      }}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.nativeEvent.isComposing || event.keyCode === 229) return;
        if (event.key === 'Enter') early.entered = true;
        else if (event.key === 'Escape') onLeave();
      }}
    />
  );
}

interface ChipProps {
  name: string;
  filter: Filter;
  asked: string;
  onEdit: () => void;
  onRemove: () => void;
  onFlip: (flippedFilter: string) => void;
}

/** Enter edits it, `!` inverts it, Backspace removes it. */
function ConditionChip({ name, filter, asked, onEdit, onRemove, onFlip }: ChipProps) {
  const names = useNames(name, filter);
  const label = t(filter.label);
  const { operator, value } = describeCondition(filter, asked, names);
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Backspace' || event.key === 'Delete') onRemove();
    else if (event.key === '!' && (filter.field.kind === 'choice' || filter.field.kind === 'value'))
      onFlip(asked.startsWith('!') ? asked.slice(1) : `!${asked}`);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <span
      data-filter={name}
      className="inline-flex h-control max-w-full min-w-0 items-center rounded-control border border-accent bg-surface text-body"
    >
      <button
        type="button"
        className="flex h-full min-w-0 items-center gap-1.5 rounded-control ps-2 pe-1 hover:bg-layer-hover"
        aria-haspopup="dialog"
        onClick={onEdit}
        onKeyDown={onKeyDown}
      >
        <span className="shrink-0 text-2">{label}</span>
        {operator && <span className="shrink-0 text-2">{operator}</span>}
        <bdi className="max-w-64 truncate text-1" title={value}>
          {value}
        </bdi>
      </button>
      <IconButton
        label={t('filter.remove', { label })}
        icon={<X size={12} aria-hidden="true" />}
        className="h-6! w-6!"
        onClick={onRemove}
      />
    </span>
  );
}
