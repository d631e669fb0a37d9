import { and, sql, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

const fewEnough = 3000;

/**
 * The condition that a text has `part` in it, any case, wildcards being letters. The column needs an index on
 * `text_grams(column)`. A rare part is looked up first and becomes its rows' ids: PostgreSQL cannot know how rare it is
 * and would rather walk the whole list in order. A frequent part is left to that walk, which soon has a page of it.
 */
export async function whereHas(
  db: Db,
  table: PgTable & { id: PgColumn },
  column: PgColumn,
  part: string,
): Promise<SQL | undefined> {
  const has = and(
    sql`text_grams(${column}) @> search_grams(${part}::text)`,
    sql`strpos(lower(${column}), lower(${part}::text)) > 0`,
  );
  const found = await db
    .select({ id: table.id })
    .from(table as PgTable)
    .where(has)
    .limit(fewEnough + 1);
  if (found.length > fewEnough) return has;
  return sql`${table.id} = any(${sql.param(found.map(({ id }) => String(id)))}::uuid[])`;
}
