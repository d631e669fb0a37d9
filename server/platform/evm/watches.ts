import { integerOf } from '../../../api/integers.ts';
import { memoizePerServer, type Services } from '../services/context.ts';
import { chainWatches } from './tables.ts';

type WatchRow = typeof chainWatches.$inferSelect;
/** Null: success. */
export type WatchState = WatchRow['state'];

/** Between equal writes. */
const rewriteMs = 30_000;
const lastWrittenOf = memoizePerServer(() => new Map<WatchRow['name'], { state: WatchState; at: number }>());

/** Records the result, so that `silentWatches` fires on passes that fail, find nothing or hang. */
export async function recordPass<T>(
  services: Services,
  name: WatchRow['name'],
  pass: () => Promise<T>,
  failureReason: (result: T) => WatchState,
): Promise<T> {
  let state: WatchState = 'failed';
  try {
    const result = await pass();
    state = failureReason(result);
    return result;
  } finally {
    // The alarm fires anyway if the database is away.
    await storeWatchState(services, name, state).catch(() => {});
  }
}

async function storeWatchState(services: Services, name: WatchRow['name'], state: WatchState): Promise<void> {
  const now = services.now();
  const written = lastWrittenOf(services).get(name);
  if (written?.state === state && now - written.at < rewriteMs) return;
  const at = new Date(now);
  await services.database.db
    .insert(chainWatches)
    .values({ name, at, state })
    .onConflictDoUpdate({ target: chainWatches.name, set: state === null ? { at, state } : { state } });
  lastWrittenOf(services).set(name, { state, at: now });
}

/** A development chain may stand still. */
export const isWatchStale = ({ config, now }: Services, seconds: bigint): boolean =>
  config.production && now() - integerOf(seconds) * 1000 > config.alarms.waitMs;
