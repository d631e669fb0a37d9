import { sql } from 'drizzle-orm';
import type { Services } from '../platform/services/context.ts';
import type { StatisticsDatabase } from '../platform/db/db.ts';
import { describeError } from '../platform/core/log.ts';
import { monthAfter, monthOf, monthsOf, tableOfMonth } from '../platform/db/months.ts';

/** Months created in advance. */
const ahead = 3;

/** From the month of `from` to a few after `to`. Safe to run concurrently. */
export async function makeMonths({ db }: Pick<StatisticsDatabase, 'db'>, from: Date, to: Date): Promise<void> {
  const wantedMonths = monthsBetween(from, monthAfter(to, ahead));
  const there = await monthsOf(db, 'visits');
  const missing = wantedMonths.filter((month) => !there.includes(month));
  if (missing.length === 0) return;
  for (const month of missing) await db.execute(sql`select visits_make_month(${firstDay(month)}::date)`);
}

/**
 * Detaches visits older than `keepMonths`. The tables remain for operators, and the roll-ups keep their sums. Returns the names.
 */
export async function detachMonths({ database, log }: Services, now: Date, keepMonths: number): Promise<string[]> {
  const { db } = database.statistics;
  const oldest = monthOf(monthAfter(now, -keepMonths));
  const old = (await monthsOf(db, 'visits')).filter((month) => month < oldest);
  const detached: string[] = [];
  for (const month of old) {
    const name = tableOfMonth('visits', month);
    try {
      await db.execute(sql`select visits_detach_month(${firstDay(month)}::date)`);
      detached.push(name);
    } catch (error) {
      log.warn({ err: describeError(error), partition: name }, 'could not archive a month of visits, will retry');
    }
  }
  return detached;
}

const firstDay = (month: string) => `${month}-01`;

const after = (month: string) => monthOf(monthAfter(new Date(`${firstDay(month)}T00:00:00Z`), 1));

function monthsBetween(from: Date, to: Date): string[] {
  const months: string[] = [];
  for (let month = monthOf(from); month <= monthOf(to); month = after(month)) months.push(month);
  return months;
}
