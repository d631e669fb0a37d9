import * as z from 'zod/mini';
import { maxTargets, maxMatching } from './bulk.ts';
import { maxConditionLength, parseCondition } from './condition.ts';
import { type FilterField, type Fields } from './filter.ts';
import { route } from './route.ts';
import { timeZoneSchema } from './time-zone.ts';
import type { Period } from './schedule.ts';
import { parseHttpUrl } from './url.ts';

export { route };

export const storableText = z.refine<string>((value) => isStorable(value), { error: 'invalid' });

/** Without NUL, which PostgreSQL refuses. Too long text aborts before later checks. */
export const textSchema = (max: number) =>
  z
    .string({ error: 'required' })
    .check(z.trim(), z.minLength(1, { error: 'required' }), z.maxLength(max, { error: 'tooLong', abort: true }), storableText);

/** May be empty. */
export const optionalTextSchema = (max: number) =>
  z.string({ error: 'invalid' }).check(z.trim(), z.maxLength(max, { error: 'tooLong', abort: true }), storableText);

const isStorable = (value: string) => !/[\uD800-\uDFFF]/u.test(value) && !value.includes('\u0000');

export const httpUrlSchema = () =>
  z.pipe(
    textSchema(2000).check(z.refine((value) => parseHttpUrl(value) !== null, { error: 'url' })),
    z.transform((value) => parseHttpUrl(value) ?? value),
  );

export const optionalHttpUrlSchema = () =>
  z.pipe(
    optionalTextSchema(2000).check(z.refine((value) => value === '' || parseHttpUrl(value) !== null, { error: 'url' })),
    z.transform((value) => parseHttpUrl(value) ?? value),
  );

/** ISO-8601 UTC with milliseconds, years 1970 to 9999. */
export const timeSchema = () =>
  z.string({ error: 'required' }).check(
    z.minLength(1, { error: 'required' }),
    z.regex(instantPattern, { error: 'time' }),
    z.refine((value) => !instantPattern.test(value) || isTimestamp(value), { error: 'time' }),
  );

export const refinePeriodOrder = <Fields extends { [End in keyof Period]?: Period[End] | undefined }>() =>
  z.refine<Fields>(({ startsAt, endsAt }) => !startsAt || !endsAt || startsAt < endsAt, {
    error: 'afterStart',
    path: ['endsAt'],
  });

const instantPattern = /^(19[7-9]\d|[2-9]\d{3})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Date reads 30 February as 2 March. */
function isTimestamp(value: string): boolean {
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value;
}

export const idSchema = () => z.uuid({ error: 'invalid' });

export const versionSchema = () => z.int({ error: 'invalid' }).check(z.gte(1));

type FilterShape<F extends Fields> = { -readonly [K in keyof F]: z.ZodMiniOptional<z.ZodMiniString<string>> };

export const filterInput = <const F extends Fields>(fields: F) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [name, z.optional(conditionSchema(field))]),
    ) as FilterShape<F>,
  );

const conditionSchema = (field: FilterField) =>
  z.string({ error: 'invalid' }).check(
    z.maxLength(maxConditionLength, { error: 'tooLong' }),
    z.refine(
      (text) =>
        text.length > maxConditionLength ||
        (field.kind === 'search' && text.trim() === '') ||
        parseCondition(field, text) !== null,
      {
        error: field.kind === 'time' ? 'time' : 'invalid',
      },
    ),
  );

type ValueFieldOf<F extends Fields> = {
  [K in keyof F & string]: F[K]['kind'] extends 'choice' | 'flag' | 'value' ? K : never;
}[keyof F & string];

export const valuesInput = <const F extends Fields>(fields: F) =>
  z.strictObject({
    field: z.enum(
      Object.keys(fields).filter((name) => ['choice', 'flag', 'value'].includes(fields[name]?.kind ?? '')) as [
        ValueFieldOf<F>,
        ...ValueFieldOf<F>[],
      ],
    ),
    filter: filterInput(fields),
    part: z.optional(z.string().check(z.maxLength(200))),
  });

/** A count is null where counting would take too long. */
export const valuesOutput = () =>
  z.object({ values: z.array(z.object({ value: z.nullable(z.string()), count: z.nullable(z.int()) })) });

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

export const idsInput = <Id extends z.ZodMiniType>(itemSchema: Id) =>
  z.strictObject({ ids: z.array(itemSchema).check(z.maxLength(maxTargets)) });

/** `count` comes with the first page and is exact up to 50,000 rows. */
export const listOutput = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    rows: z.array(row),
    nextCursor: z.nullable(z.string()),
    prevCursor: z.nullable(z.string()),
    count: z.nullable(z.object({ value: z.number(), kind: z.enum(['exact', 'estimate']) })),
  });

/**
 * `expected`: rows that the person saw. `seal`: repeats exactly the rows of an earlier answer.
 */
export const matchingInput = <Filter extends z.ZodMiniType>(filter: Filter) =>
  z.strictObject({
    filter,
    expected: z.int().check(z.gte(1), z.lte(maxMatching)),
    seal: z.nullable(z.string().check(z.maxLength(64))),
  });

export const matchingOutput = () =>
  z.object({ seal: z.string(), items: z.array(z.object({ id: idSchema(), version: versionSchema() })) });

export const exportFormats = ['csv', 'xlsx'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** Without a zone, times are UTC. Without a format, CSV. */
export const exportOptions = {
  locale: z.enum(['zh-CN', 'en-US']),
  zone: z.optional(timeZoneSchema()),
  format: z.optional(z.enum(exportFormats)),
};

export const exportInput = <Sorts extends readonly [string, ...string[]], Filter extends z.ZodMiniType>(
  sorts: Sorts,
  filter: Filter,
) => z.strictObject({ sort: z.enum(sorts), direction: z.enum(['asc', 'desc']), filter, ...exportOptions });

export const exportOutput = z.object({ id: idSchema(), rows: z.int() });

export { maxTargets };

export const itemsInput = () =>
  z.array(z.strictObject({ id: idSchema(), version: versionSchema() })).check(z.minLength(1), z.maxLength(maxTargets));

export const deletedOutput = () => z.object({ id: idSchema(), entry: idSchema() });

export const bulkOutput = <Row extends z.ZodMiniType>(row: Row) =>
  z.object({
    done: z.array(row),
    failed: z.array(z.object({ id: idSchema(), code: z.enum(['CONFLICT', 'NOT_FOUND', 'INCOMPLETE']) })),
  });
