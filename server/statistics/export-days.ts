import { and, gte, inArray, lt, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { StatisticsDatabase } from '../platform/db/db.ts';
import { readRows, type RowsQuery } from '../platform/db/read-rows.ts';
import { dayOf, readSlots } from './slots.ts';
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
  rowsWanted: Pick<RowsQuery, 'where' | 'ascending'>,
  batch: number,
): AsyncGenerator<Visit[]> {
  let pendingVisits: Visit[] = [];
  for await (const rows of readPagesByDay(client, statistics, rowsWanted)) {
    pendingVisits = pendingVisits.concat(rows);
    while (pendingVisits.length >= batch) yield pendingVisits.splice(0, batch);
  }
  yield pendingVisits;
}

async function* readPagesByDay(
  client: pg.Client,
  statistics: StatisticsDatabase,
  { where, ascending }: Pick<RowsQuery, 'where' | 'ascending'>,
): AsyncGenerator<Visit[]> {
  for (const day of await readDays(client, where, ascending)) {
    const isInSlots = statistics.isSeparate ? inArray(table.slot, await readSlots(statistics, [day])) : undefined;
    const isOnDay = and(gte(table.at, new Date(day * dayMs)), lt(table.at, new Date((day + 1) * dayMs)), isInSlots, where);
    let afterRow: RowsQuery['beyond'] = null;
    for (;;) {
      const rows: Visit[] = await readRows(client, table, {
        where: isOnDay,
        order: [table.at, table.id],
        ascending,
        beyond: afterRow,
        limit: pageRows,
      });
      yield rows;
      const lastVisit = rows.at(-1);
      if (!lastVisit || rows.length < pageRows) break;
      afterRow = { values: [lastVisit.at.toISOString(), lastVisit.id], inclusive: false };
    }
  }
}

async function readDays(client: pg.Client, where: RowsQuery['where'], ascending: boolean): Promise<number[]> {
  const [range] = await drizzle(client)
    .select({
      first: sql<Date | null>`min(${table.at})`.mapWith(table.at),
      last: sql<Date | null>`max(${table.at})`.mapWith(table.at),
    })
    .from(table)
    .where(where);
  if (!range?.first || !range.last) return [];
  const firstDay = dayOf(range.first);
  const days = Array.from({ length: dayOf(range.last) - firstDay + 1 }, (_, index) => firstDay + index);
  return ascending ? days : days.toReversed();
}
