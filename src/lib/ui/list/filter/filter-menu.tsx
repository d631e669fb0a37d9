import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { formatTime, groupDigits } from '../../../format.ts';
import { t } from '../../../i18n/i18n.ts';
import { queryClient } from '../../../net/query.ts';
import type { RowCells } from '../../../scope.ts';
import { floatBeside } from '../../overlay/floating.ts';
import { visibleOpener, type ConditionsProps, type EarlyKeys } from './conditions-props.ts';
import type { Filters, FilterValues } from './filters.ts';
import { cellFilterRows } from './cell-filters.ts';
import { fieldRows, type FoundValues, type FilterRow } from './rows.ts';
import { resolveTime } from './times.ts';
import { parseSentence, parseTime } from './typed-time.ts';

interface FilterMenuProps extends ConditionsProps {
  filters: Filters;
  /** Null: any. */
  name: string | null;
  /** The row whose values are offered instead. */
  like: RowCells | null;
  opener: HTMLElement | null;
  early: EarlyKeys;
}

const narrowQuery = matchMedia('(max-width: 639px)');

/** A value, time range or amount may be typed without its field. */
export function FilterMenu({
  list: { resource, query: asking, asked, setFilter, valuesOf, store },
  filters,
  name,
  like,
  opener,
  early,
}: FilterMenuProps) {
  const values = asking.filter;
  const [step, setStep] = useState(name);
  const [query, setQuery] = useState(early.text);
  const [now] = useState(() => new Date());
  const [isNot, setNot] = useState(values[name ?? '']?.startsWith('!') ?? false);
  // By id, because arriving values and counts move the rows.
  const [at, setAt] = useState<string | null>(null);
  const popover = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const options = useRef<HTMLDivElement>(null);
  const pendingQuery = useRef<{ stay: boolean; query: string } | null>(null);
  // More may have been typed while the menu was drawn in slices.
  useLayoutEffect(() => {
    setQuery(early.text);
    pendingQuery.current = early.entered ? { stay: false, query: early.text } : null;
    Object.assign(early, { text: '', entered: false });
  }, [early]);
  const listId = useId();

  const found = useFound({ resource, filters, asked, valuesOf, step });
  const sentence = useSentence(query);
  const typed = query.startsWith('!') ? query.slice(1) : query;
  const negated = isNot || query.startsWith('!');
  const rows = useMemo(
    () =>
      like
        ? cellFilterRows(like, typed, negated, (field) => found.of.get(field)?.called)
        : fieldRows({ filters, values, found, step, typed, isNot: negated, time: parseTime(typed, now) ?? sentence }),
    [like, filters, values, found, step, typed, negated, sentence, now],
  );
  const current = rows.find(({ id }) => id === at) ?? rows[0];
  const filter = step === null ? undefined : filters[step];

  const close = useCallback(
    (back: HTMLElement | null) => {
      store.controls.closeFilter();
      visibleOpener(back, store)?.focus();
    },
    [store],
  );
  useLayoutEffect(() => {
    const element = popover.current;
    if (!element) return;
    element.showPopover();
    if (opener && !narrowQuery.matches) floatBeside(element, opener, 'start');
    input.current?.focus();
  }, [opener]);

  const pick = useCallback(
    (row: FilterRow, stay: boolean) => {
      pendingQuery.current = null;
      if (row.field !== undefined && row.asked === undefined) {
        setStep(row.field);
        setQuery('');
        setAt(null);
        return;
      }
      setFilter({ [row.field ?? '']: row.asked } as FilterValues);
      if (stay) {
        setQuery('');
        setAt(row.id);
      } else close(store.parts.grid ?? opener);
    },
    [setFilter, close, store, opener],
  );
  // Enter before the values arrive picks the first.
  useEffect(() => {
    if (pendingQuery.current?.query !== query || found.isLoading) return;
    const { stay } = pendingQuery.current;
    pendingQuery.current = null;
    if (current) pick(current, stay);
  }, [found.isLoading, query, current, pick]);

  useLayoutEffect(() => {
    options.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    event.stopPropagation();
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const move = moves[event.key];
    if (move !== undefined) {
      const to = (current ? rows.indexOf(current) : 0) + move;
      setAt(rows[Math.max(0, Math.min(rows.length - 1, to))]?.id ?? null);
    } else if (event.key === 'Enter') {
      if (found.isLoading && typed !== '' && !isExactMatch(current)) pendingQuery.current = { stay: event.shiftKey, query };
      else if (current) pick(current, event.shiftKey);
    } else if (event.key === 'Escape') {
      pendingQuery.current = null;
      if (query !== '') setQuery('');
      else if (step !== null && name === null) setStep(null);
      else close(opener);
    } else if (event.key === 'Backspace' && query === '' && step !== null) setStep(null);
    else return;
    event.preventDefault();
  }
  const label = filter ? t(filter.label) : t(like ? 'rows.like' : 'page.filter');
  const takesNot = like !== null || filter?.field.kind === 'choice' || filter?.field.kind === 'value';
  return (
    <div
      ref={popover}
      popover="auto"
      role="dialog"
      aria-label={label}
      data-filter-menu
      className="fixed inset-auto m-0 w-80 max-w-full overflow-hidden rounded-card bg-overlay text-1 shadow-menu max-sm:inset-x-0 max-sm:top-auto max-sm:bottom-0 max-sm:w-full max-sm:rounded-b-none"
      onToggle={(event) => event.newState === 'closed' && store.controls.closeFilter()}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-hairline p-2">
        {(filter ?? like) && <span className="text-2">{label}</span>}
        {takesNot && (
          <button
            type="button"
            aria-pressed={negated}
            className="rounded-chip bg-layer px-1.5 text-meta text-1 hover:bg-layer-hover"
            onClick={() => {
              pendingQuery.current = null;
              setNot(!negated);
              setQuery(typed);
              input.current?.focus();
            }}
          >
            {t(like ? (negated ? 'rows.notThese' : 'rows.onlyThese') : negated ? 'filter.isNot' : 'filter.is')}
          </button>
        )}
        <input
          ref={input}
          role="combobox"
          aria-label={label}
          aria-expanded={rows.length > 0}
          aria-controls={listId}
          aria-activedescendant={current ? `${listId}-${rows.indexOf(current)}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={200}
          placeholder={like ? undefined : t(placeholderOf(filter?.field.kind))}
          value={query}
          className="h-control min-w-24 flex-1 bg-transparent text-body text-1 outline-none"
          onChange={({ target }) => {
            if (pendingQuery.current) return;
            setQuery(target.value);
            setAt(null);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div
        ref={options}
        id={listId}
        role="listbox"
        aria-label={label}
        aria-multiselectable="true"
        className="max-h-[min(20rem,50vh)] overflow-y-auto overscroll-contain p-1"
      >
        {rows.map((row, index) => (
          <div
            key={row.id}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={row === current}
            aria-checked={row.isChosen}
            className={`flex min-h-control cursor-default items-center gap-2 rounded-control px-2 text-body max-sm:min-h-11 ${row === current ? 'bg-layer-hover' : ''}`}
            onPointerMove={() => row !== current && setAt(row.id)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => pick(row, event.shiftKey || event.ctrlKey || event.metaKey)}
          >
            <span className="w-3 shrink-0 text-accent-text">{row.isChosen ? '✓' : ''}</span>
            {row.of && <span className="shrink-0 text-2">{row.of}</span>}
            <bdi className="min-w-0 flex-1 truncate">{row.text}</bdi>
            <span className="shrink-0 text-meta text-2 tabular-nums">{noteOf(row)}</span>
          </div>
        ))}
      </div>
      <p role="status" className="px-3 py-2 text-meta text-2 empty:hidden">
        {rows.length === 0 ? t(found.isLoading ? 'filter.loading' : 'filter.nothing') : ''}
      </p>
      <p aria-hidden="true" className="border-t border-hairline px-3 py-1.5 text-meta text-2 touch:hidden">
        {t(step === null && !like ? 'filter.keysOfFields' : takesNot ? 'filter.keysOfValues' : 'filter.keysOfOne')}
      </p>
    </div>
  );
}

/** No value that arrives later can rank above it. */
const isExactMatch = (row: FilterRow | undefined): boolean => row !== undefined && row.fit <= 1;

function placeholderOf(kind: string | undefined) {
  if (kind === 'time') return 'filter.typeTime';
  return kind === 'number' ? 'filter.typeNumber' : 'filter.type';
}

function noteOf({ count, time }: FilterRow): string {
  if (time === undefined) return typeof count === 'number' ? groupDigits(count) : '';
  const [from = '', to = ''] = resolveTime(time, new Date())?.split('..') ?? [];
  const last = to && new Date(Date.parse(to) - 1).toISOString();
  const [first, end] = [from, last].map((iso) => iso && formatTime(iso).slice(0, 10));
  return first === end ? (first ?? '') : `${first} – ${end}`;
}

interface FoundOf extends Pick<FilterMenuProps['list'], 'resource' | 'asked' | 'valuesOf'> {
  filters: Filters;
  step: string | null;
}

function useFound({ resource, filters, asked, valuesOf, step }: FoundOf): FoundValues {
  const names = Object.keys(filters).filter(
    (name) => (step === null || step === name) && ['choice', 'flag', 'value'].includes(filters[name]?.field.kind ?? ''),
  );
  // A field's own condition does not narrow its values.
  const { [step ?? '']: _, ...others } = asked;
  const { data, isPending } = useQuery(
    {
      queryKey: [resource, 'values', names, others],
      queryFn: async ({ signal }) =>
        new Map(await Promise.all(names.map(async (name) => [name, await read(name, signal)] as const))),
      // Keeps the previous values while counts load.
      placeholderData: (before, query) => (JSON.stringify(query?.queryKey[2]) === JSON.stringify(names) ? before : undefined),
      staleTime: 10_000,
    },
    queryClient,
  );
  return { isLoading: isPending, of: data ?? noValues };

  /** A failed field does not hide the others. */
  async function read(name: string, signal: AbortSignal) {
    try {
      const [{ values = [] } = {}, called] = await Promise.all([
        valuesOf?.({ field: name as never, filter: others }, { signal }),
        filters[name]?.names?.(signal),
      ]);
      return { values, called };
    } catch {
      return undefined;
    }
  }
}

const noValues: FoundValues['of'] = new Map();
const debounceMs = 150;

/** Parses sentences such as "three days ago" when typing pauses. */
function useSentence(query: string): string | null {
  const [read, setRead] = useState<{ query: string; time: string | null } | null>(null);
  useEffect(() => {
    if (query.trim().length < 3) return;
    const timer = setTimeout(() => {
      parseSentence(query, new Date()).then(
        (time) => setRead({ query, time }),
        () => {},
      );
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [query]);
  return read?.query === query ? read.time : null;
}
