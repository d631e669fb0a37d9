import { and, asc, desc, getTableColumns, getTableName, sql, type SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import pg from 'pg';
import type { Queries } from './db.ts';

/** Which rows of a table, in which order. `beyond` is the keyset to start after: values of `order`, in the same order. */
interface RowsWanted {
  where: SQL | undefined;
  order: readonly PgColumn[];
  ascending: boolean;
  beyond: { values: readonly string[]; inclusive: boolean } | null;
  limit: number;
}

/** A page of one table's rows. */
export async function readRows<Table extends PgTable>(
  db: Queries,
  table: Table,
  { where, order, ascending, beyond, limit }: RowsWanted,
): Promise<Table['$inferSelect'][]> {
  const query = db
    .select()
    .from(table as PgTable)
    .where(and(where, beyond ? isBeyond(order, ascending, beyond) : undefined))
    .orderBy(...order.map(ascending ? asc : desc))
    .limit(limit);
  return where ? query : query.prepare(nameOf(table, order, ascending, beyond)).execute();
}

/** A connection plans a named statement once. Only unfiltered pages have a name, so that their number is limited. */
function nameOf(table: PgTable, order: readonly PgColumn[], ascending: boolean, beyond: RowsWanted['beyond']): string {
  const place = beyond ? (beyond.inclusive ? 'from' : 'after') : 'first';
  return [getTableName(table), ...order.map(({ name }) => name), ascending ? 'asc' : 'desc', place].join(' ');
}

function isBeyond(order: readonly PgColumn[], ascending: boolean, { values, inclusive }: NonNullable<RowsWanted['beyond']>): SQL {
  const operator = sql.raw(`${ascending ? '>' : '<'}${inclusive ? '=' : ''}`);
  const place = order.map((column, index) => sql`${values[index]}::${sql.raw(column.getSQLType())}`);
  return sql`(${sql.join([...order], sql`, `)}) ${operator} (${sql.join(place, sql`, `)})`;
}

/** All wanted rows in batches, as the client's own transaction sees them. PostgreSQL keeps the position in a cursor. */
export async function* streamRows<Table extends PgTable>(
  client: pg.Client,
  table: Table,
  { where, order, ascending }: Pick<RowsWanted, 'where' | 'order' | 'ascending'>,
  batch: number,
): AsyncGenerator<Table['$inferSelect'][]> {
  const query = drizzle(client)
    .select()
    .from(table as PgTable)
    .where(where)
    .orderBy(...order.map(ascending ? asc : desc))
    .toSQL();
  await client.query(`declare streamed no scroll cursor for ${query.sql}`, query.params);
  const columns = Object.entries(getTableColumns(table));
  const decode = (values: readonly unknown[]) =>
    Object.fromEntries(
      columns.map(([key, column], index) => {
        const value = values[index];
        return [key, value === null ? null : column.mapFromDriverValue(value)];
      }),
    );
  for (;;) {
    const { rows } = await client.query<unknown[]>({ text: `fetch ${batch} from streamed`, rowMode: 'array', types });
    yield rows.map(decode) as Table['$inferSelect'][];
    if (rows.length < batch) return;
  }
}

// Drizzle decodes times from their text: timestamptz, timestamp, date, interval, and arrays of them and of numeric.
const asText = new Set([1184, 1114, 1082, 1186, 1231, 1115, 1185, 1187, 1182]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (asText.has(oid) ? (value: string) => value : pg.types.getTypeParser(oid, format)),
};
