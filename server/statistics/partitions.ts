import { sql } from 'drizzle-orm';
import type { Services } from '../platform/core/context.ts';
import type { Db } from '../platform/db/db.ts';
import { describeError } from '../platform/core/log.ts';
import { monthAfter, monthOf, monthsOf, tableOfMonth } from '../platform/db/months.ts';

const partitionLock = 4280_0019;
/** Months that stand ready before an event can name them. */
const ahead = 3;

/** The months of visits there are room for: from the one `from` is in, to a few after `to`. Any number of processes may ask. */
export async function makeMonths({ db }: { db: Db }, from: Date, to: Date): Promise<void> {
  const wanted = monthsBetween(from, monthAfter(to, ahead));
  const there = await monthsOf(db, 'visits');
  const missing = wanted.filter((month) => !there.includes(month));
  if (missing.length === 0) return;
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${partitionLock})`);
    for (const month of missing) {
      const table = tableOfMonth('visits', month);
      const name = sql.identifier(table);
      // Attached, not made as a partition: that would lock out readers and writers.
      const [known] = (await tx.execute<{ known: boolean }>(sql`select to_regclass(${table}) is not null as known`)).rows;
      if (known?.known) continue; // another process was faster, or it was detached
      await tx.execute(sql`create table ${name} (like visits including all)`);
      await tx.execute(
        sql`alter table visits attach partition ${name} for values from (${sql.raw(`'${month}-01T00:00:00Z'`)}) to (${sql.raw(`'${after(month)}-01T00:00:00Z'`)})`,
      );
    }
  });
}

/**
 * Takes the months out of `visits` that end before `keepMonths` ago: their tables stay beside it, to be kept or dropped, and the
 * roll-ups still hold what they held. Answers their names.
 */
export async function detachMonths({ database: { db }, log }: Services, now: Date, keepMonths: number): Promise<string[]> {
  const oldest = monthOf(monthAfter(now, -keepMonths));
  const old = (await monthsOf(db, 'visits')).filter((month) => month < oldest);
  const gone: string[] = [];
  for (const month of old) {
    const name = tableOfMonth('visits', month);
    try {
      await db.execute(sql`alter table visits detach partition ${sql.identifier(name)}`);
      gone.push(name);
    } catch (error) {
      log.warn({ err: describeError(error), partition: name }, 'could not archive a month of visits, will retry');
    }
  }
  return gone;
}

const after = (month: string) => monthOf(monthAfter(new Date(`${month}-01T00:00:00Z`), 1));

function monthsBetween(from: Date, to: Date): string[] {
  const months: string[] = [];
  for (let month = monthOf(from); month <= monthOf(to); month = after(month)) months.push(month);
  return months;
}
