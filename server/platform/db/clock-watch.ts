import type { Services } from '../services/context.ts';
import { runEvery } from '../services/run-every.ts';
import { clockTolerance, describeOffset } from './clock-offset.ts';

/** Milliseconds. */
const warnFromMs = 2_000;
const intervalMs = 30_000;

/** The returned function stops it. */
export function watchClock(services: Pick<Services, 'database' | 'log'>): () => Promise<void> {
  const { database, log } = services;
  let wasOff = false;
  const checkOffset = async () => {
    const offset = await database.clockOffset();
    const isOff = Math.abs(offset) >= warnFromMs;
    const logFields = { offsetMs: offset };
    if (Math.abs(offset) > clockTolerance)
      log.error(logFields, `not ready: the clock of this server ${describeOffset(offset)}. Check its time synchronization`);
    else if (isOff && !wasOff) log.warn(logFields, `the clock of this server ${describeOffset(offset)}`);
    else if (!isOff && wasOff) log.info(logFields, 'the clock of this server agrees with the database again');
    wasOff = isOff;
  };
  const firstCheck = checkOffset().catch(() => {});
  const stopTimer = runEvery(services, intervalMs, 'checking the clock', checkOffset);
  return async () => {
    await firstCheck;
    await stopTimer();
  };
}
