import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** Allowed difference between clocks, in milliseconds. */
const skewMs = 60_000;

/** A time more than `maxMs` ahead came from a wrong clock and counts as past. */
export function dueCondition(column: AnyColumn, now: number, maxMs: number): SQL {
  const [nowText, latestText] = [new Date(now).toISOString(), new Date(now + maxMs + skewMs).toISOString()];
  return sql`(${column} <= ${nowText}::timestamptz or ${column} > ${latestText}::timestamptz)`;
}
