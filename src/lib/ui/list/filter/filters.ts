import type { Field, Fields } from '../../../../../api/filter.ts';
import type { TextKey } from '../../../i18n/i18n.ts';

/** What a field is called and its values are. */
interface Words {
  label: TextKey;
  /** What the empty search box says. */
  placeholder?: TextKey;
  /** A value as the column shows it. */
  words?: (value: string) => string;
  /** What else a value is found by: its name in the other language. */
  also?: (value: string) => string;
  /** What a row has of it, where that is not the row's own field of that name. */
  of?: (row: never) => unknown;
  /** Of values that are ids: what they are called, asked for when somebody filters by them. */
  names?: (signal: AbortSignal) => Promise<ReadonlyMap<string, string>>;
}

/** One field of a list's filter, as its contract defines it and its screen names it. */
export type Filter = Words & { field: Field };
export type Filters = Readonly<Record<string, Filter>>;
/** What is asked of each, as the URL has it: times may be relative. */
export type FilterValues = Readonly<Record<string, string | undefined>>;

/** Puts the names of a screen to the fields of its contract: none is left out. */
export const filtersOf = <F extends Fields>(fields: F, words: { [K in keyof F]: Words }): Filters =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, { field, ...(words as Record<string, Words>)[name] }]),
  ) as Filters;

/** The field that the one search box is of. */
export const searchOf = (filters: Filters): string | undefined =>
  Object.keys(filters).find((name) => filters[name]?.field.kind === 'search');

export type Direction = 'asc' | 'desc';
export interface Sort<S extends string = string> {
  by: S;
  direction: Direction;
}

/** What the list shows: all of it stands in the URL. */
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

/** Reads a query string; whether a spelling makes sense is the grammar's (grammar.ts). */
export function readQuery<S extends string>(text: string, shape: Shape<S>): ListQuery<S> {
  const params = new URLSearchParams(text);
  const filter: Record<string, string> = {};
  for (const [name, { field }] of Object.entries(shape.filters)) {
    const asked = params.get(name);
    if (asked?.trim()) filter[name] = field.kind === 'search' ? asked.slice(0, 200) : asked;
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

/** Writes the query into a query string (without `?`), leaving other parameters alone and defaults out. */
export function writeQuery<S extends string>(text: string, query: ListQuery<S>, shape: Shape<S>): string {
  const params = new URLSearchParams(text);
  for (const name of Object.keys(shape.filters)) {
    const asked = query.filter[name];
    if (asked === undefined || asked === '') params.delete(name);
    else params.set(name, asked);
  }
  const { by, direction } = query.sort;
  if (by === shape.defaultSort.by && direction === shape.defaultSort.direction) params.delete(sortParam);
  else params.set(sortParam, direction === 'desc' ? `-${by}` : by);
  // Commas and colons stand for themselves in a query: people read them.
  return params.toString().replaceAll(/%(2C|3A|21|40)/g, decodeURIComponent);
}

/** Whether more is asked than the search: that takes the grammar. */
export const hasConditions = (filters: Filters, filter: FilterValues): boolean =>
  Object.keys(filter).some((name) => name !== searchOf(filters));

export const isFiltered = (filter: FilterValues): boolean => Object.values(filter).some((value) => value !== undefined);
