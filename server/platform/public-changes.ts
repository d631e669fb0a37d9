import { sql } from 'drizzle-orm';
import { newsChanges } from '../tables.ts';
import type { Queries, Tx } from './db.ts';

const shards = 16;

/** Notes, in the transaction of the change, that the public sees other news than before. */
export async function countNewsChange(tx: Tx, newsId: string): Promise<void> {
  const shard = Number.parseInt(newsId.slice(-2), 16) % shards;
  await tx
    .insert(newsChanges)
    .values({ shard, value: 1 })
    .onConflictDoUpdate({ target: newsChanges.shard, set: { value: sql`${newsChanges.value} + 1` } });
}

/** Grows by one with every committed change of what the public sees; equal numbers mean equal news. */
export async function newsChangeNumber(queries: Queries): Promise<string> {
  const [row] = await queries.select({ value: sql<string>`coalesce(sum(${newsChanges.value}), 0)` }).from(newsChanges);
  return row?.value ?? '0';
}
