import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { Queries, Tx } from '../db/db.ts';
import type { CrudChange } from './crud.ts';
import { shardedCounters as table } from './tables.ts';

export type PublicResource = 'news' | 'notices';

/** In the transaction. Open lists are notified (server/events/events.ts). */
export const countArrival = (tx: Tx, resource: string, id: string): Promise<void> =>
  incrementCounter(tx, 'arrivals', resource, id);

/** In the transaction of the change. Counts once, however many rows. */
export const countPublicChange =
  (resource: PublicResource) =>
  async (tx: Tx, changes: readonly CrudChange<{ id: string; shown: boolean }>[]): Promise<void> => {
    const shownRows = changes.flatMap(({ before, after }) => [before, after]).find((row) => row?.shown);
    if (shownRows) await incrementCounter(tx, 'publicChanges', resource, shownRows.id);
  };

const shardCount = 16;

async function incrementCounter(tx: Tx, counter: 'arrivals' | 'publicChanges', resource: string, rowId: string): Promise<void> {
  const shard = Number.parseInt(rowId.slice(-2), 16) % shardCount;
  await tx
    .insert(table)
    .values({ counter, resource, shard, value: 1 })
    .onConflictDoUpdate({
      target: [table.counter, table.resource, table.shard],
      set: { value: sql`${table.value} + 1` },
    });
}

/** `changes` grows by one with each commit. */
export interface PublicState {
  changes: string;
  /** Last and next change by schedule. */
  last: Date | null;
  next: Date | null;
}

/** Equal `changes` and `last` mean equal rows. */
export async function readPublicState(
  queries: Queries,
  resource: PublicResource,
  schedule?: { last: SQL; next: SQL },
): Promise<PublicState> {
  const [row] = await queries
    .select({
      changes: sql<string>`coalesce(sum(${table.value}), 0)`,
      last: epochSql(schedule?.last),
      next: epochSql(schedule?.next),
    })
    .from(table)
    .where(and(eq(table.counter, 'publicChanges'), eq(table.resource, resource)));
  return { changes: row?.changes ?? '0', last: parseEpoch(row?.last), next: parseEpoch(row?.next) };
}

const epochSql = (time: SQL = sql`null::timestamptz`) => sql<string | null>`floor(extract(epoch from ${time}) * 1000)::bigint`;
const parseEpoch = (epoch: string | null | undefined) => (epoch === null || epoch === undefined ? null : new Date(Number(epoch)));
