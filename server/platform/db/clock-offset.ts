import type { Services } from '../core/context.ts';
import { every } from '../core/every.ts';

/** Milliseconds of difference from which on a server is not ready: sessions and codes of the other servers would not count here. */
export const clockTolerance = 30_000;
/** Milliseconds of difference from which on the log tells. */
const noticeable = 2_000;
const everyMs = 30_000;

/** SQL: the database's clock in milliseconds. */
export const databaseTime = '(extract(epoch from clock_timestamp()) * 1000)::float8';

/**
 * How far a clock is ahead of another one that was read between `asked` and `answered`, in milliseconds. The other one was read
 * at any moment between: within that time there is no difference.
 */
export function offsetBetween(asked: number, answered: number, other: number): number {
  if (other >= asked && other <= answered) return 0;
  return Math.round(other < asked ? asked - other : answered - other);
}

/** '12 s ahead of the database', for operators. */
export const describeOffset = (ms: number): string =>
  `is ${Math.round(Math.abs(ms) / 1000)} s ${ms > 0 ? 'ahead of' : 'behind'} the clock of the database`;

/** Logs when this machine's clock and the database's differ, and when they agree again. The returned function stops it. */
export function watchClock(services: Pick<Services, 'database' | 'log'>): () => Promise<void> {
  const { database, log } = services;
  let wasOff = false;
  const look = async () => {
    const offset = await database.clockOffset();
    const isOff = Math.abs(offset) >= noticeable;
    const said = { offsetMs: offset };
    if (Math.abs(offset) > clockTolerance)
      log.error(said, `not ready: the clock of this server ${describeOffset(offset)}. Check its time synchronization`);
    else if (isOff && !wasOff) log.warn(said, `the clock of this server ${describeOffset(offset)}`);
    else if (!isOff && wasOff) log.info(said, 'the clock of this server is right again');
    wasOff = isOff;
  };
  const first = look().catch(() => {}); // the next look says why
  const stop = every(services, everyMs, 'checking the clock', look);
  return async () => {
    await first;
    await stop();
  };
}
