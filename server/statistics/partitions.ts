import { sql } from 'drizzle-orm';
import type { Services } from '../platform/services/context.ts';
import type { StatisticsDatabase } from '../platform/db/db.ts';
import { describeError } from '../platform/core/log.ts';
import { addMonths, formatMonth, listMonthTables, monthTableName } from '../platform/db/months.ts';

/** Months created in advance. */
const monthsAhead = 3;

/** From the month of `from` to a few after `to`. Safe to run concurrently. */
export async function createMonths({ db }: Pick<StatisticsDatabase, 'db'>, from: Date, to: Date): Promise<void> {
  const wantedMonths = monthsBetween(from, addMonths(to, monthsAhead));
  const existingMonths = await listMonthTables(db, 'visits');
  const missingMonths = wantedMonths.filter((month) => !existingMonths.includes(month));
  if (missingMonths.length === 0) return;
  for (const month of missingMonths) await db.execute(sql`select visits_make_month(${firstDayOf(month)}::date)`);
}

/**
 * Detaches visits older than `keepMonths`. The tables remain for operators, and the roll-ups keep their sums. Returns the names.
 */
export async function detachMonths({ database, log }: Services, now: Date, keepMonths: number): Promise<string[]> {
  const { db } = database.statistics;
  const oldest = formatMonth(addMonths(now, -keepMonths));
  const expiredMonths = (await listMonthTables(db, 'visits')).filter((month) => month < oldest);
  const detachedMonths: string[] = [];
  for (const month of expiredMonths) {
    const name = monthTableName('visits', month);
    try {
      await db.execute(sql`select visits_detach_month(${firstDayOf(month)}::date)`);
      detachedMonths.push(name);
    } catch (error) {
      log.warn({ err: describeError(error), partition: name }, 'could not archive a month of visits, will retry');
    }
  }
  return detachedMonths;
}

const firstDayOf = (month: string) => `${month}-01`;

const nextMonth = (month: string) => formatMonth(addMonths(new Date(`${firstDayOf(month)}T00:00:00Z`), 1));

function monthsBetween(from: Date, to: Date): string[] {
  const months: string[] = [];
  for (let month = formatMonth(from); month <= formatMonth(to); month = nextMonth(month)) months.push(month);
  return months;
}
