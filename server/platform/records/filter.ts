import { and, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { parseCondition } from '../../../api/condition.ts';
import { type Condition, type FilterField, type Fields, type FilterOf } from '../../../api/filter.ts';
import type { QueryContext, RequestContext } from '../services/context.ts';
import { createFieldError } from '../core/errors.ts';
import type { Database, Db } from '../db/db.ts';
import { matchFewRows, matchText } from '../db/search.ts';

type ConditionToSql = (condition: Condition, context: QueryContext) => SQL | undefined;
/** `none`: the value that stands for null. `where`: replaces the usual condition. */
interface StoredValue {
  of: PgColumn | SQL;
  none?: string;
  where?: ConditionToSql;
  /** Join table for values that a row has several of. */
  via?: { table: PgTable; row: PgColumn; id: PgColumn };
}
/** A computed field: its condition and possible values. */
interface KnownValues {
  known: (context: QueryContext) => readonly string[];
  where: ConditionToSql;
}
interface SearchedText {
  part: PgColumn | readonly PgColumn[];
  in: PgTable & { id: PgColumn };
}

export type FilterCondition = PgColumn | StoredValue | KnownValues | ConditionToSql | SearchedText;
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

export function createFilter<const F extends Fields>({
  table,
  fields,
  filterConditions,
  only: baseCondition,
  few: fewRows,
  from: openCounts,
}: Source<F>) {
  const isFew = (name: string) => fewRows?.of.includes(name) ?? false;
  const otherConditions = Object.fromEntries(Object.entries(filterConditions).filter(([name]) => !isFew(name))) as Partial<
    FilterConditions<F>
  >;
  const buildCondition = async (context: QueryContext, filter: FilterOf<F>): Promise<SQL | undefined> => {
    const conditionParts = Object.entries(filterConditions as Record<string, FilterCondition>).flatMap(
      ([name, filterCondition]) => {
        const text = filter[name]?.trim();
        if (isSearchedText(filterCondition) && text)
          return [matchText(context.db, filterCondition.in, filterCondition.part, text)];
        const condition =
          fewRows &&
          isFew(name) &&
          buildConditions(fields, { [name]: filterCondition } as Partial<FilterConditions<F>>, filter, context);
        return condition ? [matchFewRows(context.db, fewRows.in, condition)] : [];
      },
    );
    return and(baseCondition, buildConditions(fields, otherConditions, filter, context), ...(await Promise.all(conditionParts)));
  };

  const values = async ({ input, context }: { input: ValuesAsked<F>; context: RequestContext }) => {
    const { [input.field]: _, ...otherFilters } = input.filter;
    const field = fields[input.field];
    const filterCondition = filterConditions[input.field];
    const storedValue = toStoredValue(filterCondition);
    if (!field) throw createFieldError('field');
    if (hasKnownValues(filterCondition))
      return { values: filterCondition.known(context).map((value) => ({ value, count: null })) };
    if (!storedValue) return { values: listClosedValues(field).map((value) => ({ value, count: null })) };
    const restrictedCondition = await buildCondition(context, otherFilters as FilterOf<F>);
    const searchText = input.part?.trim();
    const { counts } = openCounts?.(context) ?? context.services.database;
    const foundValues = await countValues(
      counts,
      table,
      storedValue,
      and(restrictedCondition, searchText ? containsText(storedValue, searchText) : undefined),
    );
    return { values: foundValues ?? (await listDistinctValues(counts, table, storedValue)) ?? [] };
  };
  return { where: buildCondition, values };
}

/** Only conditions that need no query. */
export function buildConditions<const F extends Fields>(
  fields: F,
  filterConditions: Partial<FilterConditions<F>>,
  filter: FilterOf<F>,
  context: QueryContext,
): SQL | undefined {
  return and(
    ...Object.entries(filterConditions as Record<string, FilterCondition>).map(([name, filterCondition]) => {
      const [field, text] = [fields[name], filter[name]];
      if (!field || text === undefined || isSearchedText(filterCondition) || (field.kind === 'search' && text.trim() === ''))
        return undefined;
      const condition = parseCondition(field, text);
      if (!condition) throw createFieldError(`filter.${name}`);
      const storedValue = toStoredValue(filterCondition);
      const conditionToSql =
        typeof filterCondition === 'function'
          ? filterCondition
          : hasKnownValues(filterCondition)
            ? filterCondition.where
            : storedValue?.where;
      return conditionToSql ? conditionToSql(condition, context) : buildValueCondition(field, condition, storedValue);
    }),
  );
}

export function selectedValues<const V extends string>(condition: Condition, allValues: readonly V[]): readonly V[] {
  if (condition.op !== 'is' && condition.op !== 'isNot') return allValues;
  return allValues.filter((value) => condition.values.includes(value) === (condition.op === 'is'));
}

export function combineValues(fieldCondition: Condition, condition: (value: string) => SQL | undefined): SQL | undefined {
  if (fieldCondition.op !== 'is' && fieldCondition.op !== 'isNot') return undefined;
  const anyValue = or(...fieldCondition.values.map((value) => (value === null ? undefined : condition(value)))) ?? sql`false`;
  // Null counts as different.
  return fieldCondition.op === 'is' ? anyValue : sql`(${anyValue}) is not true`;
}

export const createSearchCondition =
  (condition: (text: string) => SQL | undefined) =>
  (fieldCondition: Condition): SQL | undefined =>
    fieldCondition.op === 'has' ? condition(fieldCondition.text) : undefined;

const isSearchedText = (filterCondition: FilterCondition): filterCondition is SearchedText =>
  typeof filterCondition === 'object' && 'part' in filterCondition;
const hasKnownValues = (filterCondition: FilterCondition | undefined): filterCondition is KnownValues =>
  typeof filterCondition === 'object' && 'known' in filterCondition;

function toStoredValue(filterCondition: FilterCondition | undefined): StoredValue | null {
  if (
    filterCondition === undefined ||
    typeof filterCondition === 'function' ||
    isSearchedText(filterCondition) ||
    hasKnownValues(filterCondition)
  )
    return null;
  return 'of' in filterCondition ? filterCondition : { of: filterCondition };
}

function buildValueCondition(field: FilterField, condition: Condition, storedValue: StoredValue | null): SQL | undefined {
  if (!storedValue || condition.op === 'has') return undefined;
  const { of: column, none: emptyValue } = storedValue;
  if (condition.op === 'between') {
    const boundSql = (text: string) => (field.kind === 'time' ? sql`${text}::timestamptz` : sql`${text}`);
    const upperOperator = field.kind === 'time' ? sql`<` : sql`<=`;
    return and(
      condition.from === null ? undefined : sql`${column} >= ${boundSql(condition.from)}`,
      condition.to === null ? undefined : sql`${column} ${upperOperator} ${boundSql(condition.to)}`,
    );
  }
  const chosenOrEmpty = condition.values.flatMap((value) => value ?? emptyValue ?? []);
  const isNoneChosen = emptyValue === undefined && condition.values.includes(null);
  if (condition.op === 'is') return or(isOneOf(column, chosenOrEmpty), isNoneChosen ? sql`${column} is null` : undefined);
  // An index finds the other values of a closed set, not an exclusion.
  const otherValues = listClosedValues(field).filter((value) => !chosenOrEmpty.includes(value));
  if (otherValues.length > 0) return isOneOf(column, otherValues);
  if (chosenOrEmpty.length === 0) return sql`${column} is not null`;
  const isOtherChosen = sql`${column} <> all(${sql.param(chosenOrEmpty)})`;
  return field.kind === 'value' && field.nullable && emptyValue === undefined && !isNoneChosen
    ? or(sql`${column} is null`, isOtherChosen)
    : isOtherChosen;
}

const isOneOf = (column: PgColumn | SQL, [firstValue, ...otherValues]: readonly string[]): SQL | undefined =>
  firstValue === undefined
    ? undefined
    : otherValues.length === 0
      ? sql`${column} = ${firstValue}`
      : sql`${column} = any(${sql.param([firstValue, ...otherValues])})`;

const listClosedValues = (field: FilterField): readonly string[] =>
  field.kind === 'choice' ? field.values : field.kind === 'flag' ? ['true', 'false'] : [];

const maxValues = 200;

interface FoundValue {
  value: string | null;
  count: number | null;
}

const containsText = ({ of: column }: StoredValue, searchText: string): SQL =>
  sql`strpos(folded(${column}::text), folded(${searchText}::text)) > 0`;

/** Null if slower than a count may be. */
async function countValues(
  counts: Db,
  table: PgTable,
  { of: column, none: emptyValue, via: join }: StoredValue,
  where: SQL | undefined,
): Promise<FoundValue[] | null> {
  const rows = join ? sql`${join.table} join ${table} on ${join.row} = ${join.id}` : sql`${table}`;
  const counted = join ? sql`distinct ${join.row}` : sql`*`;
  const query = sql`select ${column}::text as value, count(${counted})::int as count from ${rows}${where ? sql` where ${where}` : sql``}
    group by ${column} order by 2 desc, 1 limit ${maxValues}`;
  return counts.execute<{ value: string | null; count: number }>(query).then(
    ({ rows }) => rows.map(({ value, count }) => ({ value: value === emptyValue ? null : value, count })),
    () => null,
  );
}

/** Skips along the index, without counts. */
async function listDistinctValues(
  counts: Db,
  list: PgTable,
  { of: column, none: emptyValue, via: join }: StoredValue,
): Promise<FoundValue[] | null> {
  const table = join?.table ?? list;
  const query = sql`with recursive v(value) as (
      (select ${column} from ${table} where ${column} is not null order by ${column} limit 1)
      union all select (select ${column} from ${table} where ${column} > v.value order by ${column} limit 1) from v where v.value is not null
    ) select value::text as value from v where value is not null limit ${maxValues}`;
  return counts.execute<{ value: string }>(query).then(
    ({ rows }) => rows.map(({ value }) => ({ value: value === emptyValue ? null : value, count: null })),
    () => null,
  );
}
