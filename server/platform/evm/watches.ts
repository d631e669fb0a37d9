import { integerOf } from '../../../api/integers.ts';
import { perServer, type Services } from '../core/context.ts';
import { chainWatches } from './tables.ts';

type Watch = typeof chainWatches.$inferSelect;
/** Why a look came to nothing; null: it did come to something. */
export type Silence = Watch['state'];

/** So often at most the same is written again. */
const againMs = 30_000;
/** What this server wrote last of each. */
const writtenOf = perServer(() => new Map<Watch['name'], { state: Silence; at: number }>());

/**
 * A look of a watcher of the chain, whose end is noted for all servers: of looks that come to nothing, that fail, or that do not
 * end, an alarm tells (`watchesSilent`), whoever keeps the chain from us. Throws what the look throws.
 */
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
    // What cannot be noted fails no look: where the database is away for long, the alarm comes all the same.
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

/** Whether a chain's newest block is as old as nobody should have to wait. A chain for development stands still. */
export const isStale = ({ config, now }: Services, seconds: bigint): boolean =>
  config.production && now() - integerOf(seconds) * 1000 > config.alarms.waitMs;
