import type { Services } from '../services/context.ts';
import { runEvery } from '../services/run-every.ts';
import { clockTolerance, describeOffset } from './clock-offset.ts';

/** Milliseconds. */
const noticeable = 2_000;
const everyMs = 30_000;

/** The returned function stops it. */
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
    else if (!isOff && wasOff) log.info(said, 'the clock of this server agrees with the database again');
    wasOff = isOff;
  };
  const first = look().catch(() => {});
  const stop = runEvery(services, everyMs, 'checking the clock', look);
  return async () => {
    await first;
    await stop();
  };
}
