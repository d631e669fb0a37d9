import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** Milliseconds that clocks of two processes may differ. */
const skewMs = 60_000;

/** SQL: the time is past. A time more than `longestMs` ahead came from a wrong clock and counts as past. Null never does. */
export function isPast(stamp: AnyColumn, now: number, longestMs: number): SQL {
  const [at, beyond] = [new Date(now).toISOString(), new Date(now + longestMs + skewMs).toISOString()];
  return sql`(${stamp} <= ${at}::timestamptz or ${stamp} > ${beyond}::timestamptz)`;
}
