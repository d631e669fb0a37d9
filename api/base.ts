import { oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { maxTargets, mostMatching } from './bulk.ts';
import { longestCondition, parseCondition } from './condition.ts';
import { type Field, type Fields } from './filter.ts';
import type { Permission } from './names.ts';
import type { MenuPath } from './menu.ts';
import { parseHttpUrl } from './url.ts';

/**
 * Who may call a route: exactly one of these. The server refuses to boot on a route that has none.
 * fresh: who has a second factor must have shown it a moment ago; for money everybody must have one. keyed: only with an Idempotency-Key, as what cannot be taken back.
 */
export type RouteMeta =
  | Only<{ permission: Permission; fresh?: true; keyed?: true }>
  | Only<{ menu: MenuPath }> // reads of a screen: whoever may open the screen
  | Only<{ signedIn: true }>
  | Only<{ public: true }>;

type Only<Meta> = Meta & { [Other in Exclude<MetaKey, keyof Meta>]?: never };
type MetaKey = 'permission' | 'menu' | 'signedIn' | 'public' | 'fresh' | 'keyed';

// It says nothing until .meta() does, and a route that says nothing does not boot.
export const route = oc.$meta({} as RouteMeta);

// ── Field schemas ──────────────────────────────────────────────────────────
// A check's `error` is the rule's name (api/validation-rules.ts); whoever shows it has the words.

/** Text that PostgreSQL takes: well-formed Unicode without NUL. */
export const storable = z.refine<string>((value) => isStorable(value), { error: 'invalid' });

/**
 * Text of 1 to `max` characters, trimmed; well-formed Unicode without NUL (PostgreSQL refuses both). What is too long is looked at
 * no further: a check that comes after need not be quick on megabytes.
 */
export const text = (max: number) =>
  z
    .string({ error: 'required' })
    .check(z.trim(), z.minLength(1, { error: 'required' }), z.maxLength(max, { error: 'tooLong', abort: true }), storable);

const isStorable = (value: string) => !/[\uD800-\uDFFF]/u.test(value) && !value.includes('\u0000');

/** An absolute http(s) URL without credentials, at most 2,000 characters, in the URL parser's own spelling. */
export const httpUrl = () =>
  z.pipe(
    text(2000).check(z.refine((value) => parseHttpUrl(value) !== null, { error: 'url' })),
    z.transform((value) => parseHttpUrl(value) ?? value),
  );

/** An instant as ISO-8601 UTC with milliseconds, years 1970 to 9999. */
export const instant = () =>
  z.string({ error: 'required' }).check(
    z.minLength(1, { error: 'required' }),
    z.regex(instantShape, { error: 'time' }),
    z.refine((value) => !instantShape.test(value) || isMoment(value), { error: 'time' }),
  );

const instantShape = /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A day that the calendar has: 30 February would pass as 2 March. */
function isMoment(value: string): boolean {
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

export const id = () => z.uuid({ error: 'invalid' });

/** The row's version: a write carries the one it saw; another one now means 409 with the current row. */
export const version = () => z.int({ error: 'invalid' }).check(z.gte(1));

// ── Lists ──────────────────────────────────────────────────────────────────

type FilterShape<F extends Fields> = { -readonly [K in keyof F]: z.ZodMiniOptional<z.ZodMiniString<string>> };

/** What a list may be filtered by, each field in its spelling (api/filter.ts); a row passes that passes all of it. */
export const filterInput = <const F extends Fields>(fields: F) =>
  z.strictObject(
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, z.optional(condition(field))])) as FilterShape<F>,
  );

/** An empty search asks nothing. */
const condition = (field: Field) =>
  z.string({ error: 'invalid' }).check(
    z.maxLength(longestCondition, { error: 'tooLong' }),
    z.refine(
      (text) =>
        text.length > longestCondition || (field.kind === 'search' && text.trim() === '') || parseCondition(field, text) !== null,
      {
        error: field.kind === 'time' ? 'time' : 'invalid',
      },
    ),
  );

/** Fields whose values there are few enough to pick from. */
type PickedFrom<F extends Fields> = {
  [K in keyof F & string]: F[K]['kind'] extends 'choice' | 'flag' | 'value' ? K : never;
}[keyof F & string];

/** One field's values as the data has them, counted within the rest of the filter; `part`: those with that in them. */
export const valuesInput = <const F extends Fields>(fields: F) =>
  z.strictObject({
    field: z.enum(
      Object.keys(fields).filter((name) => ['choice', 'flag', 'value'].includes(fields[name]?.kind ?? '')) as [
        PickedFrom<F>,
        ...PickedFrom<F>[],
      ],
    ),
    filter: filterInput(fields),
    part: z.optional(z.string().check(z.maxLength(200))),
  });

/** The most frequent first. A count is null where counting would take too long. */
export const valuesOutput = () =>
  z.object({ values: z.array(z.object({ value: z.nullable(z.string()), count: z.nullable(z.int()) })) });

/** Input of a keyset list. A cursor is opaque and holds the sort key and id of the row it follows. */
export const listInput = <Sorts extends readonly [string, ...string[]], Filter extends z.ZodMiniType>(
  sorts: Sorts,
  filter: Filter,
) =>
  z.strictObject({
    sort: z.enum(sorts),
    direction: z.enum(['asc', 'desc']),
    filter,
    cursor: z.nullable(z.string().check(z.maxLength(500))),
    limit: z.int().check(z.gte(1), z.lte(200)),
  });

/** Which rows are asked for: at most as many as one write takes. */
export const idsInput = <Id extends z.ZodMiniType>(one: Id) =>
  z.strictObject({ ids: z.array(one).check(z.maxLength(maxTargets)) });

/** Output of a keyset list. `count` comes with the first page only (cursor null), exact to 50,000 rows. */
export const listOutput = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    rows: z.array(row),
    nextCursor: z.nullable(z.string()),
    prevCursor: z.nullable(z.string()),
    count: z.nullable(z.object({ value: z.number(), kind: z.enum(['exact', 'estimate']) })),
  });

/** All rows a filter matches: how many were seen, and, once they are chosen, the seal of those that were. */
export const matchingInput = <Filter extends z.ZodMiniType>(filter: Filter) =>
  z.strictObject({
    filter,
    expected: z.int().check(z.gte(1), z.lte(mostMatching)),
    seal: z.nullable(z.string().check(z.maxLength(64))),
  });

/** `seal` stands for exactly these rows, whatever is in them. */
export const matchingOutput = () => z.object({ seal: z.string(), items: z.array(z.object({ id: id(), version: version() })) });

// ── Exports ────────────────────────────────────────────────────────────────

/** What a CSV holds and in which order, as its list had it; its head is in this language. */
export const exportInput = <Sorts extends readonly [string, ...string[]], Filter extends z.ZodMiniType>(
  sorts: Sorts,
  filter: Filter,
) => z.strictObject({ sort: z.enum(sorts), direction: z.enum(['asc', 'desc']), filter, locale: z.enum(['zh-CN', 'en-US']) });

/** Under which id the CSV is fetched, and how many rows were found. */
export const exportOutput = z.object({ id: id(), rows: z.int() });

// ── Writes on one or many ──────────────────────────────────────────────────

export { maxTargets };

/** The rows a write means, each with the version it was seen at. */
export const items = () =>
  z.array(z.strictObject({ id: id(), version: version() })).check(z.minLength(1), z.maxLength(maxTargets));

/** A row that was deleted, and the audit's entry that it can be brought back from. */
export const deleted = () => z.object({ id: id(), entry: id() });

/** Per-row result of a write on many. When every row failed, the route throws the first failure instead. */
export const bulkOutput = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    done: z.array(row),
    failed: z.array(z.object({ id: id(), code: z.enum(['CONFLICT', 'NOT_FOUND', 'INCOMPLETE']) })),
  });
