import { integerOf } from '../../../api/integers.ts';
import { perServer, type Services } from '../services/context.ts';
import { chainWatches } from './tables.ts';

type Watch = typeof chainWatches.$inferSelect;
/** Null: success. */
export type Silence = Watch['state'];

/** Between equal writes. */
const againMs = 30_000;
const writtenOf = perServer(() => new Map<Watch['name'], { state: Silence; at: number }>());

/** Records the result, so that `watchesSilent` fires on passes that fail, find nothing or hang. */
export async function noted<T>(
  services: Services,
  name: Watch['name'],
  look: () => Promise<T>,
  silenceOf: (result: T) => Silence,
): Promise<T> {
  let state: Silence = 'failed';
  try {
    const result = await look();
    state = silenceOf(result);
    return result;
  } finally {
    // The alarm fires anyway if the database is away.
    await note(services, name, state).catch(() => {});
  }
}

async function note(services: Services, name: Watch['name'], state: Silence): Promise<void> {
  const now = services.now();
  const written = writtenOf(services).get(name);
  if (written?.state === state && now - written.at < againMs) return;
  const at = new Date(now);
  await services.database.db
    .insert(chainWatches)
    .values({ name, at, state })
    .onConflictDoUpdate({ target: chainWatches.name, set: state === null ? { at, state } : { state } });
  writtenOf(services).set(name, { state, at: now });
}

/** A development chain may stand still. */
export const isStale = ({ config, now }: Services, seconds: bigint): boolean =>
  config.production && now() - integerOf(seconds) * 1000 > config.alarms.waitMs;
