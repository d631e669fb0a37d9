import { and, gte, inArray, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { StatisticsDatabase } from '../platform/db/db.ts';
import { readRows, type RowsWanted } from '../platform/db/read-rows.ts';
import { dayOf, slotsOf } from './slots.ts';
import { visits as table } from './tables.ts';

type Visit = typeof table.$inferSelect;

const dayMs = 86_400_000;
const pageRows = 2_000;

/**
 * Visits by time in batches, of which only the last may be smaller. Reads one UTC day after the other, because Citus fetches all
 * rows of a cursor first.
 */
export async function* streamDays(
  client: pg.Client,
  statistics: StatisticsDatabase,
  wanted: Pick<RowsWanted, 'where' | 'ascending'>,
  batch: number,
): AsyncGenerator<Visit[]> {
  let waiting: Visit[] = [];
  for await (const rows of pagesByDay(client, statistics, wanted)) {
    waiting = waiting.concat(rows);
    while (waiting.length >= batch) yield waiting.splice(0, batch);
  }
  yield waiting;
}

async function* pagesByDay(
  client: pg.Client,
  statistics: StatisticsDatabase,
  { where, ascending }: Pick<RowsWanted, 'where' | 'ascending'>,
): AsyncGenerator<Visit[]> {
  for (const day of await daysOf(client, where, ascending)) {
    const inSlots = statistics.isSeparate ? inArray(table.slot, await slotsOf(statistics, [day])) : undefined;
    const onDay = and(gte(table.at, new Date(day * dayMs)), lt(table.at, new Date((day + 1) * dayMs)), inSlots, where);
    let beyond: RowsWanted['beyond'] = null;
    for (;;) {
      const rows: Visit[] = await readRows(client, table, {
        where: onDay,
        order: [table.at, table.id],
        ascending,
        beyond,
        limit: pageRows,
      });
      yield rows;
      const last = rows.at(-1);
      if (!last || rows.length < pageRows) break;
      beyond = { values: [last.at.toISOString(), last.id], inclusive: false };
    }
  }
}

async function daysOf(client: pg.Client, where: RowsWanted['where'], ascending: boolean): Promise<number[]> {
  const [range] = await drizzle(client)
    .select({
      first: sql<Date | null>`min(${table.at})`.mapWith(table.at),
      last: sql<Date | null>`max(${table.at})`.mapWith(table.at),
    })
    .from(table)
    .where(where);
  if (!range?.first || !range.last) return [];
  const first = dayOf(range.first);
  const days = Array.from({ length: dayOf(range.last) - first + 1 }, (_, index) => first + index);
  return ascending ? days : days.toReversed();
}
