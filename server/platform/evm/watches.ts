import { toSafeInteger } from '../../../api/integers.ts';
import { memoizePerServer, type Services } from '../services/context.ts';
import { chainWatches } from './tables.ts';

type WatchRow = typeof chainWatches.$inferSelect;
/** Null: success. */
export type WatchState = WatchRow['state'];

/** Between equal writes. */
const rewriteMs = 30_000;
const lastWriteOf = memoizePerServer(() => new Map<WatchRow['name'], { state: WatchState; at: number }>());

/** Records the result, so that `readSilentWatches` fires on passes that fail, find nothing or hang. */
export async function runRecordedPass<T>(
  services: Services,
  name: WatchRow['name'],
  runPass: () => Promise<T>,
  failureReason: (result: T) => WatchState,
): Promise<T> {
  let state: WatchState = 'failed';
  try {
    const result = await runPass();
    state = failureReason(result);
    return result;
  } finally {
    // The alarm fires anyway if the database is away.
    await storeWatchState(services, name, state).catch(() => {});
  }
}

async function storeWatchState(services: Services, name: WatchRow['name'], state: WatchState): Promise<void> {
  const now = services.now();
  const lastWrite = lastWriteOf(services).get(name);
  if (lastWrite?.state === state && now - lastWrite.at < rewriteMs) return;
  const currentTime = new Date(now);
  await services.database.db
    .insert(chainWatches)
    .values({ name, at: currentTime, state })
    .onConflictDoUpdate({ target: chainWatches.name, set: state === null ? { at: currentTime, state } : { state } });
  lastWriteOf(services).set(name, { state, at: now });
}

/** A development chain may stand still. */
export const isWatchOutdated = ({ config, now }: Services, seconds: bigint): boolean =>
  config.production && now() - toSafeInteger(seconds) * 1000 > config.alarms.waitMs;
