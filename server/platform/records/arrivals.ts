import { sql } from 'drizzle-orm';
import { arrivals } from './tables.ts';
import type { Tx } from '../db/db.ts';

const shards = 16;

/** Notes, in its transaction, that a record of a resource has come in from outside: open lists are told (server/workspace/events.ts). */
export async function noteArrival(tx: Tx, resource: string, id: string): Promise<void> {
  const shard = Number.parseInt(id.slice(-2), 16) % shards;
  await tx
    .insert(arrivals)
    .values({ resource, shard, value: 1 })
    .onConflictDoUpdate({ target: [arrivals.resource, arrivals.shard], set: { value: sql`${arrivals.value} + 1` } });
}
