import { and, asc, desc, getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';

/** `beyond`: keyset position to start after (or at, if `inclusive`), as values of the `order` columns. */
export interface RowsQuery {
  where: SQL | undefined;
  order: readonly PgColumn[];
  ascending: boolean;
  beyond: { values: readonly string[]; inclusive: boolean } | null;
  limit: number;
}

export async function readRows<Table extends PgTable>(
  queries: Pick<pg.Pool, 'query'> | Pick<pg.Client, 'query'>,
  table: Table,
  { where, order: orderColumns, ascending: isAscending, beyond: after, limit }: RowsQuery,
): Promise<Table['$inferSelect'][]> {
  const query = selectQuery(
    table,
    and(where, after ? afterCondition(orderColumns, isAscending, after) : undefined),
    orderColumns,
    isAscending,
  );
  const { sql: text, params: values } = query.limit(limit).toSQL();
  const name = where ? undefined : statementName(table, orderColumns, isAscending, after);
  const { rows } = await queries.query<unknown[]>({ ...(name && { name }), text, values, rowMode: 'array', types: typeParsers });
  return decodeRows(table, rows);
}

export async function* streamRows<Table extends PgTable>(
  client: pg.Client,
  table: Table,
  { where, order: orderColumns, ascending: isAscending }: Pick<RowsQuery, 'where' | 'order' | 'ascending'>,
  batchSize: number,
): AsyncGenerator<Table['$inferSelect'][]> {
  const { sql: text, params } = selectQuery(table, where, orderColumns, isAscending).toSQL();
  await client.query(`declare streamed no scroll cursor for ${text}`, params);
  for (;;) {
    const { rows } = await client.query<unknown[]>({
      text: `fetch ${batchSize} from streamed`,
      rowMode: 'array',
      types: typeParsers,
    });
    yield decodeRows(table, rows);
    if (rows.length < batchSize) return;
  }
}

const builder = new QueryBuilder();

const selectQuery = (table: PgTable, where: SQL | undefined, orderColumns: readonly PgColumn[], isAscending: boolean) =>
  builder
    .select()
    .from(table)
    .where(where)
    .orderBy(...orderColumns.map(isAscending ? asc : desc));

function afterCondition(
  orderColumns: readonly PgColumn[],
  isAscending: boolean,
  { values, inclusive: isInclusive }: NonNullable<RowsQuery['beyond']>,
): SQL {
  const operator = sql.raw(`${isAscending ? '>' : '<'}${isInclusive ? '=' : ''}`);
  const cursorValues = orderColumns.map((column, index) => sql`${values[index]}::${sql.raw(column.getSQLType())}`);
  return sql`(${sql.join([...orderColumns], sql`, `)}) ${operator} (${sql.join(cursorValues, sql`, `)})`;
}

/** Planned once. Only unfiltered pages have names, which limits their number. */
function statementName(
  table: PgTable,
  orderColumns: readonly PgColumn[],
  isAscending: boolean,
  after: RowsQuery['beyond'],
): string {
  const cursorValues = after ? (after.inclusive ? 'from' : 'after') : 'first';
  return [getTableName(table), ...orderColumns.map(({ name }) => name), isAscending ? 'asc' : 'desc', cursorValues].join(' ');
}

function decodeRows<Table extends PgTable>(table: Table, rows: readonly unknown[][]): Table['$inferSelect'][] {
  const columns = Object.entries(getTableColumns(table));
  return rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (const [index, [key, column]] of columns.entries()) {
      const value = values[index];
      row[key] = value === null ? null : column.mapFromDriverValue(value);
    }
    return row;
  });
}

// Types that Drizzle decodes from text: timestamptz, timestamp, date, interval, and arrays of them and of numeric.
const asText = new Set([1184, 1114, 1082, 1186, 1231, 1115, 1185, 1187, 1182]);
const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (typeOid, format) => (asText.has(typeOid) ? (value: string) => value : pg.types.getTypeParser(typeOid, format)),
};
