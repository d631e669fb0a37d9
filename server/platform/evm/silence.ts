import { eq } from 'drizzle-orm';
import type { Services } from '../core/context.ts';
import { watchSilences } from './tables.ts';

type Silence = typeof watchSilences.$inferSelect;

/**
 * Keeps since when a watcher's looks come to nothing, for all servers: whoever keeps the chain from them, or has them fail each
 * time, is heard of by an alarm. Null: this one came to something.
 */
export async function noteSilence(
  { database, now }: Services,
  name: Silence['name'],
  state: Silence['state'] | null,
): Promise<void> {
  const { db } = database;
  if (state === null) return void (await db.delete(watchSilences).where(eq(watchSilences.name, name)));
  await db
    .insert(watchSilences)
    .values({ name, since: new Date(now()), state })
    .onConflictDoUpdate({ target: watchSilences.name, set: { state } });
}

/** A look of a watcher, whose end is noted: what it answers is none, or why it came to nothing. Throws what the look throws. */
export async function noted<T>(
  services: Services,
  name: Silence['name'],
  look: () => Promise<T>,
  silenceOf: (result: T) => Silence['state'] | null,
): Promise<T> {
  try {
    const result = await look();
    await noteSilence(services, name, silenceOf(result));
    return result;
  } catch (error) {
    await noteSilence(services, name, 'failed').catch(() => {}); // the database may be what fails
    throw error;
  }
}
