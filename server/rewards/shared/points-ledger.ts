import { asc, inArray, sql } from 'drizzle-orm';
import type { PointsSource } from '../../../api/rewards/points.ts';
import type { Tx } from '../../platform/db/db.ts';
import { createAppError } from '../../platform/core/errors.ts';
import { newId } from '../../platform/core/ids.ts';
import { pointBalances, points } from '../tables.ts';

/** EIP-55 address, nonzero berries. */
export interface NewPointsEntry {
  address: string;
  berries: bigint;
  reason: string;
  source: PointsSource;
  reverses?: string;
  importId?: string;
  importLine?: number;
  administratorId: string | null;
  administratorEmail: string;
  createdAt: Date;
}

export type PointsEntry = typeof points.$inferSelect;
export type PointsBalance = typeof pointBalances.$inferSelect;

export interface AppendedEntries {
  entries: PointsEntry[];
  /** By address, `before` null without entries. */
  balances: { before: PointsBalance | null; after: PointsBalance }[];
}

const batchSize = 1_000;

/**
 * The only writer of the ledger: entries and balances in one transaction, all or none. Throws BALANCE_TOO_LOW for a negative
 * balance, NOT_REVERSIBLE for a second reversal. Locks balances by address to avoid deadlocks, so call it once per transaction.
 */
export async function appendEntries(tx: Tx, newEntries: readonly NewPointsEntry[]): Promise<AppendedEntries> {
  const firstEntry = newEntries[0];
  if (!firstEntry) return { entries: [], balances: [] };
  const sumsByAddress = sumByAddress(newEntries);
  const addresses = [...sumsByAddress.keys()];
  const emptyBalance = { berries: 0n, entries: 0, updatedAt: firstEntry.createdAt };
  for (const batch of splitIntoBatches(addresses))
    await tx
      .insert(pointBalances)
      .values(batch.map((address) => ({ ...emptyBalance, address })))
      .onConflictDoNothing();

  const lockedBalances: PointsBalance[] = [];
  for (const batch of splitIntoBatches(addresses))
    lockedBalances.push(
      ...(await tx
        .select()
        .from(pointBalances)
        .where(inArray(pointBalances.address, batch))
        .orderBy(asc(sql`${pointBalances.address} collate "C"`))
        .for('update')),
    );
  const balances = lockedBalances.map((previousBalance) => {
    const { berries, count } = sumsByAddress.get(previousBalance.address) ?? { berries: 0n, count: 0 };
    const updatedBalance = {
      ...previousBalance,
      berries: previousBalance.berries + berries,
      entries: previousBalance.entries + count,
      updatedAt: firstEntry.createdAt,
    };
    return { before: previousBalance.entries > 0 ? previousBalance : null, after: updatedBalance };
  });
  const negativeAddresses = balances.filter(({ after }) => after.berries < 0n).map(({ after }) => after.address);
  if (negativeAddresses.length > 0) throw createAppError('BALANCE_TOO_LOW', { addresses: negativeAddresses.slice(0, 10) });

  for (const batch of splitIntoBatches(balances.map(({ after }) => after)))
    await tx
      .insert(pointBalances)
      .values(batch)
      .onConflictDoUpdate({
        target: pointBalances.address,
        set: {
          berries: sql`excluded.berries`,
          entries: sql`excluded.entries`,
          updatedAt: sql`excluded.updated_at`,
        },
      });
  const entries: PointsEntry[] = [];
  const rows = newEntries.map((entry) => ({ ...entry, id: newId(entry.createdAt.getTime()) }));
  for (const batch of splitIntoBatches(rows)) entries.push(...(await insertEntries(tx, batch)));
  return { entries, balances };
}

/** The unique index refuses a second reversal. A concurrent one is detected here. */
async function insertEntries(tx: Tx, rows: readonly (typeof points.$inferInsert)[]): Promise<PointsEntry[]> {
  const insertedEntries = await tx
    .insert(points)
    .values([...rows])
    .onConflictDoNothing({ target: points.reverses })
    .returning();
  if (insertedEntries.length === rows.length) return insertedEntries;
  const insertedIds = new Set(insertedEntries.map(({ id }) => id));
  throw createAppError('NOT_REVERSIBLE', {
    ids: rows.flatMap(({ id, reverses }) => (!insertedIds.has(id) && reverses ? [reverses] : [])),
  });
}

/** In the order of locking. */
function sumByAddress(entries: readonly NewPointsEntry[]): Map<string, { berries: bigint; count: number }> {
  const sumsByAddress = new Map<string, { berries: bigint; count: number }>();
  for (const { address } of [...entries].sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0)))
    sumsByAddress.set(address, { berries: 0n, count: 0 });
  for (const { address, berries } of entries) {
    const sum = sumsByAddress.get(address);
    if (!sum) continue;
    sum.berries += berries;
    sum.count++;
  }
  return sumsByAddress;
}

function* splitIntoBatches<T>(items: readonly T[]): Generator<T[]> {
  for (let offset = 0; offset < items.length; offset += batchSize) yield items.slice(offset, offset + batchSize);
}
