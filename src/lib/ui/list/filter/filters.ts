import type { TextKey } from '../../../i18n/i18n.ts';

/** What a list can be filtered by, one entry a query parameter. */
export type Filter =
  | { as: 'search'; placeholder: TextKey; max: number }
  | { as: 'choice'; label: TextKey; options: readonly { value: string; label: TextKey }[] }
  | { as: 'flag'; label: TextKey; yes: TextKey; no: TextKey }
  | { as: 'text'; label: TextKey; max: number; suggest?: () => readonly Suggestion[] }
  | { as: 'moment'; label: TextKey }
  | { as: 'record'; label: TextKey; load: (signal: AbortSignal) => Promise<readonly Suggestion[]> };
/** Filters that are typed: their control comes with the view that has them. */
export type TypedFilter = Extract<Filter, { as: 'text' | 'moment' }>;
/** A value that may be picked instead of typed, with its words. */
export interface Suggestion {
  value: string;
  label: string;
}
export type Filters = Readonly<Record<string, Filter>>;

type ValueOf<F> = F extends { as: 'flag' }
  ? boolean
  : F extends { as: 'choice'; options: readonly { value: infer V extends string }[] }
    ? V
    : string;
export type FilterValues<F> = { -readonly [K in keyof F]?: ValueOf<F[K]> };

export const search = (placeholder: TextKey, max = 200) => ({ as: 'search', placeholder, max }) as const;
export const flag = (label: TextKey, yes: TextKey, no: TextKey) => ({ as: 'flag', label, yes, no }) as const;
/** A line to type into, beside a search or instead of one; it may suggest values. */
export const typed = (label: TextKey, suggest?: () => readonly Suggestion[]) =>
  ({ as: 'text', label, max: 200, ...(suggest ? { suggest } : {}) }) as const;
/** A moment, picked or typed in the person's zone; ISO-8601 UTC in the URL. Two of them make a range. */
export const moment = (label: TextKey) => ({ as: 'moment', label }) as const;
/** One record of another kind, by its id; the choices come from the server. */
export const record = (label: TextKey, load: (signal: AbortSignal) => Promise<readonly Suggestion[]>) =>
  ({ as: 'record', label, load }) as const;
export const choose = <const V extends string>(label: TextKey, options: readonly { value: V; label: TextKey }[]) =>
  ({ as: 'choice', label, options }) as const;

export type Direction = 'asc' | 'desc';
export interface Sort<S extends string = string> {
  by: S;
  direction: Direction;
}

/** What the list shows: all of it stands in the URL. */
export interface ListQuery<S extends string, F> {
  sort: Sort<S>;
  filter: FilterValues<F>;
}

interface Shape<S extends string, F extends Filters> {
  sorts: readonly S[];
  defaultSort: Sort<S>;
  filters: F;
}

const sortParam = 'sort';

/** Reads a query string. What does not belong there is passed over, never an error. */
export function readQuery<S extends string, F extends Filters>(text: string, shape: Shape<S, F>): ListQuery<S, F> {
  const params = new URLSearchParams(text);
  const filter: Record<string, string | boolean> = {};
  for (const [name, spec] of Object.entries(shape.filters)) {
    const value = params.get(name);
    const read = value === null ? null : readValue(value, spec);
    if (read !== null) filter[name] = read;
  }
  return { sort: readSort(params.get(sortParam), shape), filter: filter as FilterValues<F> };
}

function readSort<S extends string>(
  value: string | null,
  { sorts, defaultSort }: { sorts: readonly S[]; defaultSort: Sort<S> },
): Sort<S> {
  const by = sorts.find((name) => name === value?.replace(/^-/, ''));
  return by === undefined || value === null ? defaultSort : { by, direction: value.startsWith('-') ? 'desc' : 'asc' };
}

const instant = /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

function readValue(value: string, spec: Filter): string | boolean | null {
  if (spec.as === 'flag') return value === 'true' ? true : value === 'false' ? false : null;
  if (spec.as === 'record') return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(value) ? value : null;
  if (spec.as === 'choice') return spec.options.some((option) => option.value === value) ? value : null;
  if (spec.as === 'moment') return instant.test(value) && !Number.isNaN(Date.parse(value)) ? value : null;
  const text = value.slice(0, spec.max);
  return text.trim() === '' ? null : text;
}

/** Writes the query into a query string (without `?`), leaving other parameters alone and defaults out. */
export function writeQuery<S extends string, F extends Filters>(
  text: string,
  query: ListQuery<S, F>,
  shape: Shape<S, F>,
): string {
  const params = new URLSearchParams(text);
  for (const name of Object.keys(shape.filters)) {
    const value: string | boolean | undefined = query.filter[name];
    if (value === undefined || value === '') params.delete(name);
    else params.set(name, String(value));
  }
  const { by, direction } = query.sort;
  if (by === shape.defaultSort.by && direction === shape.defaultSort.direction) params.delete(sortParam);
  else params.set(sortParam, direction === 'desc' ? `-${by}` : by);
  return params.toString();
}

export const isFiltered = (filter: Readonly<Record<string, unknown>>): boolean =>
  Object.values(filter).some((value) => value !== undefined);

/** What a click on a column's head asks for: the other direction of the same sort, else this one descending first. */
export const nextSort = <S extends string>(sort: Sort<S>, by: S): Sort<S> => ({
  by,
  direction: sort.by === by && sort.direction === 'desc' ? 'asc' : 'desc',
});
