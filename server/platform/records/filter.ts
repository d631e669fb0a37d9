import { and, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { parseCondition } from '../../../api/condition.ts';
import { type Condition, type FilterField, type Fields, type FilterOf } from '../../../api/filter.ts';
import type { QueryContext, RequestContext } from '../services/context.ts';
import { badField } from '../core/errors.ts';
import type { Database, Db } from '../db/db.ts';
import { whereFew, whereHas } from '../db/search.ts';

type ConditionToSql = (condition: Condition, context: QueryContext) => SQL | undefined;
/** `none` is the value for null. `where` overrides the condition. */
interface Stored {
  of: PgColumn | SQL;
  none?: string;
  where?: ConditionToSql;
  /** Join table for values that a row has several of. */
  via?: { table: PgTable; row: PgColumn; id: PgColumn };
}
/** A computed field: its condition and possible values. */
interface Known {
  known: (context: QueryContext) => readonly string[];
  where: ConditionToSql;
}
interface Searched {
  part: PgColumn | readonly PgColumn[];
  in: PgTable & { id: PgColumn };
}

export type FilterCondition = PgColumn | Stored | Known | ConditionToSql | Searched;
export type FilterConditions<F extends Fields> = { readonly [K in keyof F]: FilterCondition };

interface Source<F extends Fields> {
  table: PgTable;
  fields: F;
  filterConditions: FilterConditions<F>;
  /** Base condition of the list. */
  only?: SQL | undefined;
  /** Unless the rows are in the panel's database. */
  from?: (context: RequestContext) => Pick<Database, 'counts'>;
  few?: { of: readonly (keyof F & string)[]; in: PgTable & { id: PgColumn } };
}

interface ValuesAsked<F extends Fields> {
  field: keyof F & string;
  filter: FilterOf<F>;
  part?: string | undefined;
}

export function createFilter<const F extends Fields>({ table, fields, filterConditions, only, few, from }: Source<F>) {
  const isFew = (name: string) => few?.of.includes(name) ?? false;
  const others = Object.fromEntries(Object.entries(filterConditions).filter(([name]) => !isFew(name))) as Partial<
    FilterConditions<F>
  >;
  const where = async (context: QueryContext, filter: FilterOf<F>): Promise<SQL | undefined> => {
    const parts = Object.entries(filterConditions as Record<string, FilterCondition>).flatMap(([name, meaning]) => {
      const text = filter[name]?.trim();
      if (isSearched(meaning) && text) return [whereHas(context.db, meaning.in, meaning.part, text)];
      const condition =
        few && isFew(name) && conditionsFrom(fields, { [name]: meaning } as Partial<FilterConditions<F>>, filter, context);
      return condition ? [whereFew(context.db, few.in, condition)] : [];
    });
    return and(only, conditionsFrom(fields, others, filter, context), ...(await Promise.all(parts)));
  };

  const values = async ({ input, context }: { input: ValuesAsked<F>; context: RequestContext }) => {
    const { [input.field]: _, ...rest } = input.filter;
    const field = fields[input.field];
    const meaning = filterConditions[input.field];
    const stored = storedAs(meaning);
    if (!field) throw badField('field');
    if (isKnown(meaning)) return { values: meaning.known(context).map((value) => ({ value, count: null })) };
    if (!stored) return { values: closed(field).map((value) => ({ value, count: null })) };
    const within = await where(context, rest as FilterOf<F>);
    const part = input.part?.trim();
    const { counts } = from?.(context) ?? context.services.database;
    const found = await counted(counts, table, stored, and(within, part ? has(stored, part) : undefined));
    return { values: found ?? (await distinct(counts, table, stored)) ?? [] };
  };
  return { where, values };
}

/** Only conditions that need no query. */
export function conditionsFrom<const F extends Fields>(
  fields: F,
  filterConditions: Partial<FilterConditions<F>>,
  filter: FilterOf<F>,
  context: QueryContext,
): SQL | undefined {
  return and(
    ...Object.entries(filterConditions as Record<string, FilterCondition>).map(([name, meaning]) => {
      const [field, text] = [fields[name], filter[name]];
      if (!field || text === undefined || isSearched(meaning) || (field.kind === 'search' && text.trim() === ''))
        return undefined;
      const condition = parseCondition(field, text);
      if (!condition) throw badField(`filter.${name}`);
      const stored = storedAs(meaning);
      const written = typeof meaning === 'function' ? meaning : isKnown(meaning) ? meaning.where : stored?.where;
      return written ? written(condition, context) : conditionOf(field, condition, stored);
    }),
  );
}

export function chosenValues<const V extends string>(condition: Condition, all: readonly V[]): readonly V[] {
  if (condition.op !== 'is' && condition.op !== 'isNot') return all;
  return all.filter((value) => condition.values.includes(value) === (condition.op === 'is'));
}

export function combineValues(requested: Condition, condition: (value: string) => SQL | undefined): SQL | undefined {
  if (requested.op !== 'is' && requested.op !== 'isNot') return undefined;
  const any = or(...requested.values.map((value) => (value === null ? undefined : condition(value)))) ?? sql`false`;
  // Null counts as different.
  return requested.op === 'is' ? any : sql`(${any}) is not true`;
}

export const searchCondition =
  (condition: (text: string) => SQL | undefined) =>
  (requested: Condition): SQL | undefined =>
    requested.op === 'has' ? condition(requested.text) : undefined;

const isSearched = (meaning: FilterCondition): meaning is Searched => typeof meaning === 'object' && 'part' in meaning;
const isKnown = (meaning: FilterCondition | undefined): meaning is Known => typeof meaning === 'object' && 'known' in meaning;

function storedAs(meaning: FilterCondition | undefined): Stored | null {
  if (meaning === undefined || typeof meaning === 'function' || isSearched(meaning) || isKnown(meaning)) return null;
  return 'of' in meaning ? meaning : { of: meaning };
}

function conditionOf(field: FilterField, condition: Condition, stored: Stored | null): SQL | undefined {
  if (!stored || condition.op === 'has') return undefined;
  const { of, none } = stored;
  if (condition.op === 'between') {
    const end = (text: string) => (field.kind === 'time' ? sql`${text}::timestamptz` : sql`${text}`);
    const last = field.kind === 'time' ? sql`<` : sql`<=`;
    return and(
      condition.from === null ? undefined : sql`${of} >= ${end(condition.from)}`,
      condition.to === null ? undefined : sql`${of} ${last} ${end(condition.to)}`,
    );
  }
  const own = condition.values.flatMap((value) => value ?? none ?? []);
  const isNone = none === undefined && condition.values.includes(null);
  if (condition.op === 'is') return or(isOneOf(of, own), isNone ? sql`${of} is null` : undefined);
  // An index finds the other values of a closed set, not an exclusion.
  const others = closed(field).filter((value) => !own.includes(value));
  if (others.length > 0) return isOneOf(of, others);
  if (own.length === 0) return sql`${of} is not null`;
  const isOther = sql`${of} <> all(${sql.param(own)})`;
  return field.kind === 'value' && field.nullable && none === undefined && !isNone ? or(sql`${of} is null`, isOther) : isOther;
}

const isOneOf = (of: PgColumn | SQL, [first, ...more]: readonly string[]): SQL | undefined =>
  first === undefined ? undefined : more.length === 0 ? sql`${of} = ${first}` : sql`${of} = any(${sql.param([first, ...more])})`;

const closed = (field: FilterField): readonly string[] =>
  field.kind === 'choice' ? field.values : field.kind === 'flag' ? ['true', 'false'] : [];

const maxFound = 200;

interface Found {
  value: string | null;
  count: number | null;
}

const has = ({ of }: Stored, part: string): SQL => sql`strpos(folded(${of}::text), folded(${part}::text)) > 0`;

/** Null if slower than a count may be. */
async function counted(counts: Db, table: PgTable, { of, none, via }: Stored, where: SQL | undefined): Promise<Found[] | null> {
  const rows = via ? sql`${via.table} join ${table} on ${via.row} = ${via.id}` : sql`${table}`;
  const query = sql`select ${of}::text as value, count(*)::int as count from ${rows}${where ? sql` where ${where}` : sql``}
    group by ${of} order by 2 desc, 1 limit ${maxFound}`;
  return counts.execute<{ value: string | null; count: number }>(query).then(
    ({ rows }) => rows.map(({ value, count }) => ({ value: value === none ? null : value, count })),
    () => null,
  );
}

/** Skips along the index, without counts. */
async function distinct(counts: Db, list: PgTable, { of, none, via }: Stored): Promise<Found[] | null> {
  const table = via?.table ?? list;
  const query = sql`with recursive v(value) as (
      (select ${of} from ${table} where ${of} is not null order by ${of} limit 1)
      union all select (select ${of} from ${table} where ${of} > v.value order by ${of} limit 1) from v where v.value is not null
    ) select value::text as value from v where value is not null limit ${maxFound}`;
  return counts.execute<{ value: string }>(query).then(
    ({ rows }) => rows.map(({ value }) => ({ value: value === none ? null : value, count: null })),
    () => null,
  );
}
