import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** Allowed difference between clocks, in milliseconds. */
const skewMs = 60_000;

/** A time more than `maxMs` ahead came from a wrong clock and counts as past. */
export function isDue(stamp: AnyColumn, now: number, maxMs: number): SQL {
  const [at, beyond] = [new Date(now).toISOString(), new Date(now + maxMs + skewMs).toISOString()];
  return sql`(${stamp} <= ${at}::timestamptz or ${stamp} > ${beyond}::timestamptz)`;
}
