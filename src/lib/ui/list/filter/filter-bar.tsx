import { useStore } from '@nanostores/react';
import { t } from '../../../i18n/i18n.ts';
import { $listExtras } from '../extras.ts';
import type { ListData } from '../use-list.ts';
import { findSearchField } from './filters.ts';
import { SearchBox } from './search-box.tsx';

export function FilterBar<Row extends { id: string }>({ list }: { list: ListData<Row> }) {
  const { Conditions } = useStore($listExtras);
  const { filters, setFilter, store } = list;
  const name = findSearchField(filters);
  return (
    <div role="search" className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      {name && filters[name] && (
        <SearchBox
          placeholder={t(filters[name].placeholder ?? filters[name].label)}
          value={list.query.filter[name] ?? ''}
          onSearch={(text) => setFilter({ [name]: text || undefined })}
          store={store}
        />
      )}
      {Conditions && <Conditions list={list} />}
    </div>
  );
}
