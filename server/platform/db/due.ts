import { sql, type AnyColumn, type SQL } from 'drizzle-orm';

/** Milliseconds that the clocks of two processes may differ. */
const skewMs = 60_000;

/**
 * The condition that a stamp is past, for what waits or is leased for at most `longestMs` milliseconds. A stamp beyond that was
 * made by a clock that ran ahead, and counts as past: what is mended must not wait until then. Null is never past.
 */
export function isPast(stamp: AnyColumn, now: number, longestMs: number): SQL {
  const [at, beyond] = [new Date(now).toISOString(), new Date(now + longestMs + skewMs).toISOString()];
  return sql`(${stamp} <= ${at}::timestamptz or ${stamp} > ${beyond}::timestamptz)`;
}
