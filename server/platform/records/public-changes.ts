import { eq, sql, type SQL } from 'drizzle-orm';
import { publicChanges } from './tables.ts';
import type { Queries, Tx } from '../db/db.ts';

/** What the official website reads. */
export type PublicResource = 'news' | 'notices';

const shards = 16;

/** Notes, in the transaction of the change, that the public sees other rows of a resource than before. */
export async function countPublicChange(tx: Tx, resource: PublicResource, rowId: string): Promise<void> {
  const shard = Number.parseInt(rowId.slice(-2), 16) % shards;
  await tx
    .insert(publicChanges)
    .values({ resource, shard, value: 1 })
    .onConflictDoUpdate({
      target: [publicChanges.resource, publicChanges.shard],
      set: { value: sql`${publicChanges.value} + 1` },
    });
}

/** How far a resource's public rows have come: `changes` grows by one with every committed change of them. */
export interface PublicState {
  changes: string;
  /** The last moment at which they changed by themselves, and the next; null where they never do. */
  last: Date | null;
  next: Date | null;
}

/** In one query. Equal `changes` and `last` mean equal rows. */
export async function publicState(
  queries: Queries,
  resource: PublicResource,
  schedule?: { last: SQL; next: SQL },
): Promise<PublicState> {
  const [row] = await queries
    .select({
      changes: sql<string>`coalesce(sum(${publicChanges.value}), 0)`,
      last: epochOf(schedule?.last),
      next: epochOf(schedule?.next),
    })
    .from(publicChanges)
    .where(eq(publicChanges.resource, resource));
  return { changes: row?.changes ?? '0', last: momentOf(row?.last), next: momentOf(row?.next) };
}

const epochOf = (moment: SQL = sql`null::timestamptz`) => sql<string | null>`floor(extract(epoch from ${moment}) * 1000)::bigint`;
const momentOf = (epoch: string | null | undefined) => (epoch === null || epoch === undefined ? null : new Date(Number(epoch)));
