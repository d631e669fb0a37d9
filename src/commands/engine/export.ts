import type { Api } from '../../lib/net/client.ts';
import { datedName, downloadCsv } from '../../lib/net/download.ts';
import { locale } from '../../lib/i18n/i18n.ts';
import type { Fields, FilterOf } from '../../../api/filter.ts';
import { readQuery, type Filters, type Sort } from '../../lib/ui/list/filter/filters.ts';
import { toFilterInput } from '../../lib/ui/list/filter/grammar.ts';

interface Shape<S extends string> {
  sorts: readonly S[];
  defaultSort: Sort<S>;
  filters: Filters;
}

interface AskedQuestion<S extends string> {
  sort: S;
  direction: 'asc' | 'desc';
  filter: FilterOf<Fields>;
  locale: 'zh-CN' | 'en-US';
  zone: string;
}

/** On any other screen there is no filter. */
export function currentQueryOf<S extends string>(place: string, shape: Shape<S>): AskedQuestion<S> {
  const isThere = typeof location !== 'undefined' && location.pathname === place;
  const { sort, filter } = readQuery(isThere ? location.search : '', shape);
  return { sort: sort.by, direction: sort.direction, filter: toFilterInput(shape.filters, filter), ...exportWording() };
}

export const exportWording = () => ({ locale: locale(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone });

export async function saveExport(
  name: string,
  path: string,
  start: () => ReturnType<Api['points']['export']>,
): Promise<{ rows: number }> {
  const { id, rows } = await start();
  return downloadCsv({ path: `/api${path}/${id}`, name: datedName(name, 'csv'), rows });
}
