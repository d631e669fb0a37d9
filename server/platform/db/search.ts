import { and, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Queries } from './db.ts';

const maxScanRows = 3000;

type TableWithId = PgTable & { id: PgColumn };

/** Rare matches become ids, because PostgreSQL would scan the whole list for them. Frequent ones fill a page quickly. */
export async function matchFewRows(queries: Queries, table: TableWithId, condition: SQL | undefined): Promise<SQL | undefined> {
  const foundRows = await queries
    .select({ id: table.id })
    .from(table as PgTable)
    .where(condition)
    .limit(maxScanRows + 1);
  if (foundRows.length > maxScanRows) return condition;
  return sql`${table.id} = any(${sql.param(foundRows.map(({ id }) => String(id)))}::${sql.raw(table.id.getSQLType())}[])`;
}

/** Ignores case and width. Needs an index on `text_grams(column)` for each of the columns. */
export const matchText = (
  queries: Queries,
  table: TableWithId,
  columns: PgColumn | readonly PgColumn[],
  searchText: string,
): Promise<SQL | undefined> =>
  matchFewRows(
    queries,
    table,
    or(
      ...[columns]
        .flat()
        .map((column) =>
          and(
            sql`text_grams(${column}) @> search_grams(${searchText}::text)`,
            sql`strpos(folded(${column}), folded(${searchText}::text)) > 0`,
          ),
        ),
    ),
  );
