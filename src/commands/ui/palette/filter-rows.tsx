import { t } from '../../../lib/i18n/i18n.ts';
import { matchPinyin } from '../../../lib/pinyin/match.ts';
import { $viewContexts } from '../../../lib/scope.ts';
import { searchOf } from '../../../lib/ui/list/filter/filters.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import type { PaletteRow } from './options.tsx';

export interface OfferedFilter {
  name: string;
  words: string;
  open: () => void;
}

const max = 8;

/** Without a query, the list's own command covers all fields. */
export function filtersFor(query: string): readonly OfferedFilter[] {
  const searchText = query.normalize('NFKC').trim().toLowerCase();
  const controls = $viewContexts.get().findLast((viewContext) => viewContext.controls)?.controls;
  if (searchText === '' || !controls) return [];
  const filters = controls.filters();
  const others = Object.entries(filters).filter(([name]) => name !== searchOf(filters));
  const all = others.map(([name, { label }]) => ({
    name,
    words: t('finder.filter', { label: t(label) }),
    open: () => controls.openFilter(name),
  }));
  return all.filter(({ words }) => matchesSearch(words.toLowerCase(), searchText)).slice(0, max);
}

const matchesSearch = (words: string, searchText: string): boolean =>
  searchText.split(/\s+/).every((part) => words.includes(part)) ||
  (/^[a-z]+$/.test(searchText) && matchPinyin(words, searchText) !== null);

export const filterRow = ({ words }: OfferedFilter): Omit<PaletteRow, 'value'> => ({
  group: t('page.filter'),
  draw: () => (
    <>
      <Icon name="list-filter" className="text-2" />
      <span className="min-w-0 grow truncate">{words}</span>
    </>
  ),
});
