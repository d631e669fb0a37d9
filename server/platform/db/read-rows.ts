import { and, asc, desc, getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import { QueryBuilder, type PgColumn, type PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';

/** `beyond`: keyset position to start after (or at, if `inclusive`), as values of the `order` columns. */
export interface RowsWanted {
  where: SQL | undefined;
  order: readonly PgColumn[];
  ascending: boolean;
  beyond: { values: readonly string[]; inclusive: boolean } | null;
  limit: number;
}

export async function readRows<Table extends PgTable>(
  queries: Pick<pg.Pool, 'query'> | Pick<pg.Client, 'query'>,
  table: Table,
  { where, order, ascending, beyond, limit }: RowsWanted,
): Promise<Table['$inferSelect'][]> {
  const query = selectOf(table, and(where, beyond ? isBeyond(order, ascending, beyond) : undefined), order, ascending);
  const { sql: text, params: values } = query.limit(limit).toSQL();
  const name = where ? undefined : nameOf(table, order, ascending, beyond);
  const { rows } = await queries.query<unknown[]>({ ...(name && { name }), text, values, rowMode: 'array', types });
  return decoded(table, rows);
}

export async function* streamRows<Table extends PgTable>(
  client: pg.Client,
  table: Table,
  { where, order, ascending }: Pick<RowsWanted, 'where' | 'order' | 'ascending'>,
  batch: number,
): AsyncGenerator<Table['$inferSelect'][]> {
  const { sql: text, params } = selectOf(table, where, order, ascending).toSQL();
  await client.query(`declare streamed no scroll cursor for ${text}`, params);
  for (;;) {
    const { rows } = await client.query<unknown[]>({ text: `fetch ${batch} from streamed`, rowMode: 'array', types });
    yield decoded(table, rows);
    if (rows.length < batch) return;
  }
}

const builder = new QueryBuilder();

const selectOf = (table: PgTable, where: SQL | undefined, order: readonly PgColumn[], ascending: boolean) =>
  builder
    .select()
    .from(table)
    .where(where)
    .orderBy(...order.map(ascending ? asc : desc));

function isBeyond(order: readonly PgColumn[], ascending: boolean, { values, inclusive }: NonNullable<RowsWanted['beyond']>): SQL {
  const operator = sql.raw(`${ascending ? '>' : '<'}${inclusive ? '=' : ''}`);
  const cursorValues = order.map((column, index) => sql`${values[index]}::${sql.raw(column.getSQLType())}`);
  return sql`(${sql.join([...order], sql`, `)}) ${operator} (${sql.join(cursorValues, sql`, `)})`;
}

/** Planned once. Only unfiltered pages have names, which limits their number. */
function nameOf(table: PgTable, order: readonly PgColumn[], ascending: boolean, beyond: RowsWanted['beyond']): string {
  const cursorValues = beyond ? (beyond.inclusive ? 'from' : 'after') : 'first';
  return [getTableName(table), ...order.map(({ name }) => name), ascending ? 'asc' : 'desc', cursorValues].join(' ');
}

function decoded<Table extends PgTable>(table: Table, rows: readonly unknown[][]): Table['$inferSelect'][] {
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
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (asText.has(oid) ? (value: string) => value : pg.types.getTypeParser(oid, format)),
};
