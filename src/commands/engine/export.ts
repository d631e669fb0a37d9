import type { Api } from '../../lib/net/client.ts';
import { downloadCsv } from '../../lib/net/download.ts';
import { locale } from '../../lib/i18n/i18n.ts';
import { readQuery, type Filters, type FilterValues, type Sort } from '../../lib/ui/list/filter/filters.ts';

interface Shape<S extends string, F extends Filters> {
  sorts: readonly S[];
  defaultSort: Sort<S>;
  filters: F;
}

interface Asked<S extends string, F> {
  sort: S;
  direction: 'asc' | 'desc';
  filter: FilterValues<F>;
  locale: 'zh-CN' | 'en-US';
}

/** What the list at `place` shows, as its address says it; on any other screen all of it. */
export function askedAt<S extends string, F extends Filters>(place: string, shape: Shape<S, F>): Asked<S, F> {
  const isThere = typeof location !== 'undefined' && location.pathname === place;
  const { sort, filter } = readQuery(isThere ? location.search : '', shape);
  return { sort: sort.by, direction: sort.direction, filter, locale: locale() };
}

/** Records an export and saves its file; answers its rows. */
export async function saveExport(
  name: string,
  path: string,
  start: () => ReturnType<Api['points']['export']>,
): Promise<{ rows: number }> {
  const { id, rows } = await start();
  return downloadCsv({ path: `/api${path}/${id}`, name: `${name}-${new Date().toISOString().slice(0, 10)}.csv`, rows });
}
