import { useStore } from '@nanostores/react';
import { Search, X } from 'lucide-react';
import { useCallback, useEffect, useRef, useState, type ComponentType, type KeyboardEvent } from 'react';
import { t } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../button.tsx';
import type { Filter, Filters } from './filters.ts';
import { $listExtras } from './extras.ts';
import type { LineFilterProps } from './line-filter.tsx';
import type { ListStore } from './store.ts';

const pause = 200;

interface FilterBarProps<Row extends { id: string }> {
  filters: Filters;
  values: Readonly<Record<string, string | boolean | undefined>>;
  filtered: boolean;
  setFilter: (patch: Readonly<Record<string, string | boolean | undefined>>) => void;
  clearFilter: () => void;
  store: ListStore<Row>;
  /** Draws what is typed; only a view with such filters brings it. */
  Line?: ComponentType<LineFilterProps> | undefined;
}

/** Search and choices of a list. What they hold is the URL's. */
export function FilterBar<Row extends { id: string }>({
  filters,
  values,
  filtered,
  setFilter,
  clearFilter,
  store,
  Line,
}: FilterBarProps<Row>) {
  const { RecordFilter } = useStore($listExtras);
  const lines = Object.entries(filters).filter(([, { as }]) => as === 'search' || as === 'text');
  const first = lines[0]?.[0];
  return (
    <div
      role="search"
      className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:-my-1 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:py-1 max-sm:*:shrink-0"
    >
      {Object.entries(filters).map(([name, filter]) =>
        filter.as === 'text' || filter.as === 'moment' ? (
          Line && (
            <Line
              key={name}
              filter={filter}
              value={String(values[name] ?? '')}
              onChange={(text) => setFilter({ [name]: text === '' ? undefined : text })}
              store={store}
              first={name === first}
            />
          )
        ) : filter.as === 'search' ? (
          <SearchBox
            key={name}
            placeholder={t(filter.placeholder)}
            max={filter.max}
            value={String(values[name] ?? '')}
            onSearch={(text) => setFilter({ [name]: text === '' ? undefined : text })}
            store={store}
          />
        ) : filter.as === 'record' ? (
          RecordFilter && (
            <RecordFilter
              key={name}
              name={name}
              filter={filter}
              value={values[name]}
              onChoose={(value) => setFilter({ [name]: value })}
            />
          )
        ) : (
          <Choice key={name} filter={filter} value={values[name]} onChoose={(value) => setFilter({ [name]: value })} />
        ),
      )}
      {filtered && (
        <Button look="ghost" icon={<X size={14} aria-hidden="true" />} onClick={clearFilter}>
          {t('list.clearFilter')}
        </Button>
      )}
    </div>
  );
}

interface SearchBoxProps<Row extends { id: string }> {
  placeholder: string;
  max: number;
  value: string;
  onSearch: (text: string) => void;
  store: ListStore<Row>;
}

/** Searches 200 ms after the last letter, never in the middle of composing one. */
function SearchBox<Row extends { id: string }>({ placeholder, max, value, onSearch, store }: SearchBoxProps<Row>) {
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  const sent = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // The URL changed from elsewhere: cleared, a link, back.
  if (value !== seen) {
    setSeen(value);
    if (value !== sent.current) {
      clearTimeout(timer.current); // what was being typed is not sent after it
      sent.current = value;
      setTyped(value);
    }
  }
  useEffect(() => () => clearTimeout(timer.current), []);

  function send(text: string) {
    clearTimeout(timer.current);
    const wanted = text.trim();
    if (wanted === sent.current) return;
    sent.current = wanted;
    onSearch(wanted);
  }
  function later(text: string) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(text), pause);
  }
  function clear() {
    setTyped('');
    send('');
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      if (typed === '') store.parts.grid?.focus();
      else clear();
    } else if (event.key === 'Enter' || event.key === 'ArrowDown') {
      event.preventDefault();
      event.stopPropagation();
      send(typed);
      store.parts.grid?.focus();
    }
  }
  const ref = useCallback(
    (input: HTMLInputElement | null) => {
      store.parts.filter = input;
    },
    [store],
  );
  return (
    <div className="relative w-40 sm:w-64">
      <Search size={14} aria-hidden="true" className="pointer-events-none absolute inset-y-0 start-2 my-auto text-2" />
      <input
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={t('list.search')}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        maxLength={max}
        value={typed}
        className="h-control w-full rounded-control border border-control bg-surface ps-7 pe-7 text-body text-1"
        onChange={({ target, nativeEvent }) => {
          setTyped(target.value);
          if (nativeEvent instanceof InputEvent && nativeEvent.isComposing) clearTimeout(timer.current);
          else later(target.value);
        }}
        onCompositionEnd={({ currentTarget }) => later(currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {typed !== '' && (
        <IconButton
          label={t('list.clearFilter')}
          icon={<X size={12} aria-hidden="true" />}
          className="absolute inset-y-0 end-0.5 my-auto h-6! w-6!"
          onClick={() => {
            clear();
            store.parts.filter?.focus();
          }}
        />
      )}
    </div>
  );
}

interface ChoiceProps {
  filter: Extract<Filter, { as: 'choice' | 'flag' }>;
  value: string | boolean | undefined;
  onChoose: (value: string | boolean | undefined) => void;
}

function Choice({ filter, value, onChoose }: ChoiceProps) {
  const label = t(filter.label);
  const options =
    filter.as === 'flag'
      ? [
          { value: 'true', label: filter.yes },
          { value: 'false', label: filter.no },
        ]
      : filter.options;
  return (
    <select
      aria-label={label}
      value={value === undefined ? '' : String(value)}
      className={`h-control max-w-56 rounded-control border bg-surface ps-2 pe-1 text-body text-1 ${value === undefined ? 'border-control' : 'border-accent'}`}
      onChange={({ target }) =>
        onChoose(target.value === '' ? undefined : filter.as === 'flag' ? target.value === 'true' : target.value)
      }
    >
      <option value="">{t('list.any', { label })}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {t('list.option', { label, value: t(option.label) })}
        </option>
      ))}
    </select>
  );
}
