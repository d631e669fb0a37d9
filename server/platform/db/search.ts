import { and, or, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Queries } from './db.ts';

const maxScanRows = 3000;

type Identified = PgTable & { id: PgColumn };

/** Rare matches become ids, because PostgreSQL would scan the whole list for them. Frequent ones fill a page quickly. */
export async function whereFew(queries: Queries, table: Identified, condition: SQL | undefined): Promise<SQL | undefined> {
  const found = await queries
    .select({ id: table.id })
    .from(table as PgTable)
    .where(condition)
    .limit(maxScanRows + 1);
  if (found.length > maxScanRows) return condition;
  return sql`${table.id} = any(${sql.param(found.map(({ id }) => String(id)))}::${sql.raw(table.id.getSQLType())}[])`;
}

/** Ignores case and width. Needs an index on `text_grams(column)` for each of the columns. */
export const whereHas = (
  queries: Queries,
  table: Identified,
  columns: PgColumn | readonly PgColumn[],
  part: string,
): Promise<SQL | undefined> =>
  whereFew(
    queries,
    table,
    or(
      ...[columns]
        .flat()
        .map((column) =>
          and(
            sql`text_grams(${column}) @> search_grams(${part}::text)`,
            sql`strpos(folded(${column}), folded(${part}::text)) > 0`,
          ),
        ),
    ),
  );
