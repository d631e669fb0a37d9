import type { FilterField, Fields } from '../../../../../api/filter.ts';
import type { TextKey } from '../../../i18n/i18n.ts';

interface FilterTexts {
  label: TextKey;
  placeholder?: TextKey;
  words?: (value: string) => string;
  /** Its name in the other language. */
  also?: (value: string) => string;
  /** Default: the row's field of the same name. */
  of?: (row: never) => unknown;
  /** Names of values that are ids. */
  names?: (signal: AbortSignal) => Promise<ReadonlyMap<string, string>>;
}

export type Filter = FilterTexts & { field: FilterField };
export type Filters = Readonly<Record<string, Filter>>;
/** Times may be relative. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

export const createFilters = <F extends Fields>(fields: F, texts: { [K in keyof F]: FilterTexts }): Filters =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { field, ...(texts as Record<string, FilterTexts>)[name] }]),
  ) as Filters;

export const findSearchField = (filters: Filters): string | undefined =>
  Object.keys(filters).find((name) => filters[name]?.field.kind === 'search');

export type SortDirection = 'asc' | 'desc';
export interface Sort<S extends string = string> {
  by: S;
  direction: SortDirection;
}

/** All of it is in the URL. */
export interface ListQuery<S extends string> {
  sort: Sort<S>;
  filter: FilterValues;
}

interface QueryShape<S extends string> {
  sorts: readonly S[];
  defaultSort: Sort<S>;
  filters: Filters;
}

const sortParam = 'sort';

/** grammar.ts checks whether values make sense. */
export function readQuery<S extends string>(text: string, queryShape: QueryShape<S>): ListQuery<S> {
  const params = new URLSearchParams(text);
  const filter: Record<string, string> = {};
  for (const [name, { field }] of Object.entries(queryShape.filters)) {
    const text = params.get(name);
    if (text?.trim()) filter[name] = field.kind === 'search' ? text.slice(0, 200) : text;
  }
  return { sort: readSort(params.get(sortParam), queryShape), filter };
}

function readSort<S extends string>(
  value: string | null,
  { sorts, defaultSort }: { sorts: readonly S[]; defaultSort: Sort<S> },
): Sort<S> {
  const sortColumn = sorts.find((name) => name === value?.replace(/^-/, ''));
  return sortColumn === undefined || value === null
    ? defaultSort
    : { by: sortColumn, direction: value.startsWith('-') ? 'desc' : 'asc' };
}

/** Keeps other parameters and leaves out defaults. */
export function writeQuery<S extends string>(text: string, query: ListQuery<S>, queryShape: QueryShape<S>): string {
  const params = new URLSearchParams(text);
  for (const name of Object.keys(queryShape.filters)) {
    const text = query.filter[name];
    if (text === undefined || text === '') params.delete(name);
    else params.set(name, text);
  }
  const { by, direction } = query.sort;
  if (by === queryShape.defaultSort.by && direction === queryShape.defaultSort.direction) params.delete(sortParam);
  else params.set(sortParam, direction === 'desc' ? `-${by}` : by);
  // Keep commas and colons readable.
  return params.toString().replaceAll(/%(2C|3A|21|40)/g, decodeURIComponent);
}

export const hasConditions = (filters: Filters, filter: FilterValues): boolean =>
  Object.keys(filter).some((name) => name !== findSearchField(filters));

export const isFiltered = (filter: FilterValues): boolean => Object.values(filter).some((value) => value !== undefined);
