import { useQuery } from '@tanstack/react-query';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { formatTime, groupDigits } from '../../../format.ts';
import { t } from '../../../i18n/i18n.ts';
import { labelText } from '../../../i18n/punctuation.ts';
import { queryClient } from '../../../net/query.ts';
import type { RowCells } from '../../../scope.ts';
import { positionBeside } from '../../overlay/floating.ts';
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
  list: { resource, query: listQuery, asked, setFilter, valuesOf, store },
  filters,
  name,
  like,
  opener,
  early,
}: FilterMenuProps) {
  const values = listQuery.filter;
  const [step, setStep] = useState(name);
  const [query, setQuery] = useState(early.text);
  const [now] = useState(() => new Date());
  const [isNegated, setIsNegated] = useState(values[name ?? '']?.startsWith('!') ?? false);
  // By id, because arriving values and counts move the rows.
  const [activeRowId, setActiveRowId] = useState<string | null>(null);
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

  const foundValues = useFoundValues({ resource, filters, asked, valuesOf, step });
  const sentenceTime = useSentenceTime(query);
  const enteredText = query.startsWith('!') ? query.slice(1) : query;
  const isNegatedQuery = isNegated || query.startsWith('!');
  const rows = useMemo(
    () =>
      like
        ? cellFilterRows(like, enteredText, isNegatedQuery, (field) => foundValues.of.get(field)?.called)
        : fieldRows({
            filters,
            values,
            found: foundValues,
            step,
            typed: enteredText,
            isNot: isNegatedQuery,
            time: parseTime(enteredText, now) ?? sentenceTime,
          }),
    [like, filters, values, foundValues, step, enteredText, isNegatedQuery, sentenceTime, now],
  );
  const currentRow = rows.find(({ id }) => id === activeRowId) ?? rows[0];
  const filter = step === null ? undefined : filters[step];

  const closeMenu = useCallback(
    (focusTarget: HTMLElement | null) => {
      store.controls.closeFilter();
      visibleOpener(focusTarget, store)?.focus();
    },
    [store],
  );
  useLayoutEffect(() => {
    const element = popover.current;
    if (!element) return;
    element.showPopover();
    if (opener && !narrowQuery.matches) positionBeside(element, opener, 'start');
    input.current?.focus();
  }, [opener]);

  const pickRow = useCallback(
    (row: FilterRow, staysOpen: boolean) => {
      pendingQuery.current = null;
      if (row.field !== undefined && row.asked === undefined) {
        setStep(row.field);
        setQuery('');
        setActiveRowId(null);
        return;
      }
      setFilter({ [row.field ?? '']: row.asked } as FilterValues);
      if (staysOpen) {
        setQuery('');
        setActiveRowId(row.id);
      } else closeMenu(store.parts.grid ?? opener);
    },
    [setFilter, closeMenu, store, opener],
  );
  // Enter before the values arrive picks the first.
  useEffect(() => {
    if (pendingQuery.current?.query !== query || foundValues.isLoading) return;
    const { stay } = pendingQuery.current;
    pendingQuery.current = null;
    if (currentRow) pickRow(currentRow, stay);
  }, [foundValues.isLoading, query, currentRow, pickRow]);

  useLayoutEffect(() => {
    options.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    event.stopPropagation();
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    const stepsByKey: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const rowStep = stepsByKey[event.key];
    if (rowStep !== undefined) {
      const targetIndex = (currentRow ? rows.indexOf(currentRow) : 0) + rowStep;
      setActiveRowId(rows[Math.max(0, Math.min(rows.length - 1, targetIndex))]?.id ?? null);
    } else if (event.key === 'Enter') {
      if (foundValues.isLoading && enteredText !== '' && !isExactMatch(currentRow))
        pendingQuery.current = { stay: event.shiftKey, query };
      else if (currentRow) pickRow(currentRow, event.shiftKey);
    } else if (event.key === 'Escape') {
      pendingQuery.current = null;
      if (query !== '') setQuery('');
      else if (step !== null && name === null) setStep(null);
      else closeMenu(opener);
    } else if (event.key === 'Backspace' && query === '' && step !== null) setStep(null);
    else return;
    event.preventDefault();
  }
  const label = filter ? t(filter.label) : t(like ? 'rows.like' : 'page.filter');
  const canNegate = like !== null || filter?.field.kind === 'choice' || filter?.field.kind === 'value';
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
        {step !== null && name === null ? (
          <button
            type="button"
            aria-label={labelText(label, t('common.back'))}
            className="flex items-center gap-1 rounded-chip px-1 text-2 hover:bg-layer-hover hover:text-1"
            onClick={() => {
              pendingQuery.current = null;
              setStep(null);
              setQuery('');
              input.current?.focus();
            }}
          >
            <ChevronLeft size={14} aria-hidden="true" className="rtl:rotate-180" />
            {label}
          </button>
        ) : (
          (filter ?? like) && <span className="text-2">{label}</span>
        )}
        {canNegate && (
          <button
            type="button"
            aria-pressed={isNegatedQuery}
            className="rounded-chip bg-layer px-1.5 text-meta text-1 hover:bg-layer-hover"
            onClick={() => {
              pendingQuery.current = null;
              setIsNegated(!isNegatedQuery);
              setQuery(enteredText);
              input.current?.focus();
            }}
          >
            {t(like ? (isNegatedQuery ? 'rows.notThese' : 'rows.onlyThese') : isNegatedQuery ? 'filter.isNot' : 'filter.is')}
          </button>
        )}
        <input
          ref={input}
          role="combobox"
          aria-label={label}
          aria-expanded={rows.length > 0}
          aria-controls={listId}
          aria-activedescendant={currentRow ? `${listId}-${rows.indexOf(currentRow)}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          maxLength={200}
          placeholder={like ? undefined : t(readPlaceholder(filter?.field.kind))}
          value={query}
          className="h-control min-w-24 flex-1 bg-transparent text-body text-1 outline-none"
          onChange={({ target }) => {
            if (pendingQuery.current) return;
            setQuery(target.value);
            setActiveRowId(null);
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
            aria-selected={row === currentRow}
            aria-checked={row.isChosen}
            className={`flex min-h-control cursor-default items-center gap-2 rounded-control px-2 text-body max-sm:min-h-11 ${row === currentRow ? 'bg-layer-hover' : ''}`}
            onPointerMove={() => row !== currentRow && setActiveRowId(row.id)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={(event) => pickRow(row, event.shiftKey || event.ctrlKey || event.metaKey)}
          >
            <span className="w-3 shrink-0 text-accent-text">{row.isChosen ? '✓' : ''}</span>
            {row.of && <span className="shrink-0 text-2">{row.of}</span>}
            <bdi className="min-w-0 flex-1 truncate">{row.text}</bdi>
            <span className="shrink-0 text-meta text-2 tabular-nums">{readNote(row)}</span>
          </div>
        ))}
      </div>
      <p role="status" className="px-3 py-2 text-meta text-2 empty:hidden">
        {rows.length === 0 ? t(foundValues.isLoading ? 'filter.loading' : 'filter.nothing') : ''}
      </p>
      <p aria-hidden="true" className="border-t border-hairline px-3 py-1.5 text-meta text-2 touch:hidden">
        {t(step === null && !like ? 'filter.keysOfFields' : canNegate ? 'filter.keysOfValues' : 'filter.keysOfOne')}
      </p>
    </div>
  );
}

/** No value that arrives later can rank above it. */
const isExactMatch = (row: FilterRow | undefined): boolean => row !== undefined && row.fit <= 1;

function readPlaceholder(kind: string | undefined) {
  if (kind === 'time') return 'filter.typeTime';
  return kind === 'number' ? 'filter.typeNumber' : 'filter.type';
}

function readNote({ count, time }: FilterRow): string {
  if (time === undefined) return typeof count === 'number' ? groupDigits(count) : '';
  const [rangeStart = '', rangeEnd = ''] = resolveTime(time, new Date())?.split('..') ?? [];
  const lastInstant = rangeEnd && new Date(Date.parse(rangeEnd) - 1).toISOString();
  const [firstDay, lastDay] = [rangeStart, lastInstant].map((iso) => iso && formatTime(iso).slice(0, 10));
  return firstDay === lastDay ? (firstDay ?? '') : `${firstDay} – ${lastDay}`;
}

interface FoundValuesOptions extends Pick<FilterMenuProps['list'], 'resource' | 'asked' | 'valuesOf'> {
  filters: Filters;
  step: string | null;
}

function useFoundValues({ resource, filters, asked, valuesOf, step }: FoundValuesOptions): FoundValues {
  const names = Object.keys(filters).filter(
    (name) => (step === null || step === name) && ['choice', 'flag', 'value'].includes(filters[name]?.field.kind ?? ''),
  );
  // A field's own condition does not narrow its values.
  const { [step ?? '']: _, ...others } = asked;
  const { data, isPending } = useQuery(
    {
      queryKey: [resource, 'values', names, others],
      queryFn: async ({ signal }) =>
        new Map(await Promise.all(names.map(async (name) => [name, await readValues(name, signal)] as const))),
      // Keeps the previous values while counts load.
      placeholderData: (previousValues, query) =>
        JSON.stringify(query?.queryKey[2]) === JSON.stringify(names) ? previousValues : undefined,
      staleTime: 10_000,
    },
    queryClient,
  );
  return { isLoading: isPending, of: data ?? noValues };

  /** A failed field does not hide the others. */
  async function readValues(name: string, signal: AbortSignal) {
    try {
      const [{ values = [] } = {}, valueNames] = await Promise.all([
        valuesOf?.({ field: name as never, filter: others }, { signal }),
        filters[name]?.names?.(signal),
      ]);
      return { values, called: valueNames };
    } catch {
      return undefined;
    }
  }
}

const noValues: FoundValues['of'] = new Map();
const debounceMs = 150;

/** Parses sentences such as "three days ago" when typing pauses. */
function useSentenceTime(query: string): string | null {
  const [parsedSentence, setParsedSentence] = useState<{ query: string; time: string | null } | null>(null);
  useEffect(() => {
    if (query.trim().length < 3) return;
    const timer = setTimeout(() => {
      parseSentence(query, new Date()).then(
        (time) => setParsedSentence({ query, time }),
        () => {},
      );
    }, debounceMs);
    return () => clearTimeout(timer);
  }, [query]);
  return parsedSentence?.query === query ? parsedSentence.time : null;
}
