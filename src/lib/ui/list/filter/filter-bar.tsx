import { useStore } from '@nanostores/react';
import { t } from '../../../i18n/i18n.ts';
import { $listExtras } from '../extras.ts';
import type { ListStore } from '../store.ts';
import { searchOf, type Filters, type FilterValues } from './filters.ts';
import { SearchBox } from './search-box.tsx';
import type { ValuesRoute } from './values.ts';

export interface FilterBarProps<Row extends { id: string }> {
  resource: string;
  filters: Filters;
  values: FilterValues;
  /** The same with its times as instants. */
  asked: FilterValues;
  filtered: boolean;
  setFilter: (patch: FilterValues) => void;
  clearFilter: () => void;
  /** Where the values of a field come from. */
  valuesOf: ValuesRoute | undefined;
  store: ListStore<Row>;
}

/** One search, and beside it everything else that is asked of the list. What they hold is the URL's. */
export function FilterBar<Row extends { id: string }>(props: FilterBarProps<Row>) {
  const { filters, values, setFilter, store } = props;
  const { Conditions } = useStore($listExtras);
  const name = searchOf(filters);
  const search = name === undefined ? undefined : filters[name];
  return (
    <div role="search" className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      {search && name !== undefined && (
        <SearchBox
          placeholder={t(search.label)}
          max={200}
          value={values[name] ?? ''}
          onSearch={(text) => setFilter({ [name]: text === '' ? undefined : text })}
          store={store}
        />
      )}
      {Conditions && <Conditions {...props} store={store} />}
    </div>
  );
}
