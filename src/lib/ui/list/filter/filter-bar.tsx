import { useStore } from '@nanostores/react';
import { X } from 'lucide-react';
import type { ComponentType } from 'react';
import { t } from '../../../i18n/i18n.ts';
import { Button } from '../../button.tsx';
import type { Filter, Filters } from './filters.ts';
import { $listExtras } from '../extras.ts';
import type { LineFilterProps } from './line-filter.tsx';
import { SearchBox } from './search-box.tsx';
import type { ListStore } from '../store.ts';

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
