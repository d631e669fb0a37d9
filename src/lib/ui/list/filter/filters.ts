import type { FilterField, Fields } from '../../../../../api/filter.ts';
import type { TextKey } from '../../../i18n/i18n.ts';

interface Words {
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

export type Filter = Words & { field: FilterField };
export type Filters = Readonly<Record<string, Filter>>;
/** Times may be relative. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

export const filtersOf = <F extends Fields>(fields: F, words: { [K in keyof F]: Words }): Filters =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { field, ...(words as Record<string, Words>)[name] }]),
  ) as Filters;

export const searchOf = (filters: Filters): string | undefined =>
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

interface Shape<S extends string> {
  sorts: readonly S[];
  defaultSort: Sort<S>;
  filters: Filters;
}

const sortParam = 'sort';

/** grammar.ts checks whether values make sense. */
export function readQuery<S extends string>(text: string, shape: Shape<S>): ListQuery<S> {
  const params = new URLSearchParams(text);
  const filter: Record<string, string> = {};
  for (const [name, { field }] of Object.entries(shape.filters)) {
    const text = params.get(name);
    if (text?.trim()) filter[name] = field.kind === 'search' ? text.slice(0, 200) : text;
  }
  return { sort: readSort(params.get(sortParam), shape), filter };
}

function readSort<S extends string>(
  value: string | null,
  { sorts, defaultSort }: { sorts: readonly S[]; defaultSort: Sort<S> },
): Sort<S> {
  const by = sorts.find((name) => name === value?.replace(/^-/, ''));
  return by === undefined || value === null ? defaultSort : { by, direction: value.startsWith('-') ? 'desc' : 'asc' };
}

/** Keeps other parameters and leaves out defaults. */
export function writeQuery<S extends string>(text: string, query: ListQuery<S>, shape: Shape<S>): string {
  const params = new URLSearchParams(text);
  for (const name of Object.keys(shape.filters)) {
    const text = query.filter[name];
    if (text === undefined || text === '') params.delete(name);
    else params.set(name, text);
  }
  const { by, direction } = query.sort;
  if (by === shape.defaultSort.by && direction === shape.defaultSort.direction) params.delete(sortParam);
  else params.set(sortParam, direction === 'desc' ? `-${by}` : by);
  // Keep commas and colons readable.
  return params.toString().replaceAll(/%(2C|3A|21|40)/g, decodeURIComponent);
}

export const hasConditions = (filters: Filters, filter: FilterValues): boolean =>
  Object.keys(filter).some((name) => name !== searchOf(filters));

export const isFiltered = (filter: FilterValues): boolean => Object.values(filter).some((value) => value !== undefined);
