import { t } from '../../../lib/i18n/i18n.ts';
import { matchPinyin } from '../../../lib/pinyin/match.ts';
import { $viewContexts } from '../../../lib/scope.ts';
import { findSearchField } from '../../../lib/ui/list/filter/filters.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import type { PaletteRow } from './options.tsx';

export interface OfferedFilter {
  name: string;
  words: string;
  open: () => void;
}

const maxFilters = 8;

/** Without a query, the list's own command covers all fields. */
export function filtersFor(query: string): readonly OfferedFilter[] {
  const searchText = query.normalize('NFKC').trim().toLowerCase();
  const controls = $viewContexts.get().findLast((viewContext) => viewContext.controls)?.controls;
  if (searchText === '' || !controls) return [];
  const filters = controls.filters();
  const otherFilters = Object.entries(filters).filter(([name]) => name !== findSearchField(filters));
  const offeredFilters = otherFilters.map(([name, { label }]) => ({
    name,
    words: t('finder.filter', { label: t(label) }),
    open: () => controls.openFilter(name),
  }));
  return offeredFilters.filter(({ words }) => matchesSearch(words.toLowerCase(), searchText)).slice(0, maxFilters);
}

const matchesSearch = (searchWords: string, searchText: string): boolean =>
  searchText.split(/\s+/).every((queryPart) => searchWords.includes(queryPart)) ||
  (/^[a-z]+$/.test(searchText) && matchPinyin(searchWords, searchText) !== null);

export const filterRow = ({ words }: OfferedFilter): Omit<PaletteRow, 'value'> => ({
  group: t('page.filter'),
  draw: () => (
    <>
      <Icon name="list-filter" className="text-2" />
      <span className="min-w-0 grow truncate">{words}</span>
    </>
  ),
});
