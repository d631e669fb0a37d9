import { asc, inArray, sql } from 'drizzle-orm';
import type { PointsSource } from '../../../api/rewards/points.ts';
import type { Tx } from '../../platform/db/db.ts';
import { appError } from '../../platform/core/errors.ts';
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

const batch = 1_000;

/**
 * The only writer of the ledger: entries and balances in one transaction, all or none. Throws BALANCE_TOO_LOW for a negative
 * balance, NOT_REVERSIBLE for a second reversal. Locks balances by address to avoid deadlocks, so call it once per transaction.
 */
export async function appendEntries(tx: Tx, newEntries: readonly NewPointsEntry[]): Promise<AppendedEntries> {
  const first = newEntries[0];
  if (!first) return { entries: [], balances: [] };
  const sums = sumsOf(newEntries);
  const addresses = [...sums.keys()];
  const zero = { berries: 0n, entries: 0, updatedAt: first.createdAt };
  for (const some of batchesOf(addresses))
    await tx
      .insert(pointBalances)
      .values(some.map((address) => ({ ...zero, address })))
      .onConflictDoNothing();

  const locked: PointsBalance[] = [];
  for (const some of batchesOf(addresses))
    locked.push(
      ...(await tx
        .select()
        .from(pointBalances)
        .where(inArray(pointBalances.address, some))
        .orderBy(asc(sql`${pointBalances.address} collate "C"`))
        .for('update')),
    );
  const balances = locked.map((before) => {
    const { berries, count } = sums.get(before.address) ?? { berries: 0n, count: 0 };
    const after = { ...before, berries: before.berries + berries, entries: before.entries + count, updatedAt: first.createdAt };
    return { before: before.entries > 0 ? before : null, after };
  });
  const low = balances.filter(({ after }) => after.berries < 0n).map(({ after }) => after.address);
  if (low.length > 0) throw appError('BALANCE_TOO_LOW', { addresses: low.slice(0, 10) });

  for (const some of batchesOf(balances.map(({ after }) => after)))
    await tx
      .insert(pointBalances)
      .values(some)
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
  for (const some of batchesOf(rows)) entries.push(...(await insertEntries(tx, some)));
  return { entries, balances };
}

/** The unique index refuses a second reversal. A concurrent one is detected here. */
async function insertEntries(tx: Tx, rows: readonly (typeof points.$inferInsert)[]): Promise<PointsEntry[]> {
  const inserted = await tx
    .insert(points)
    .values([...rows])
    .onConflictDoNothing({ target: points.reverses })
    .returning();
  if (inserted.length === rows.length) return inserted;
  const there = new Set(inserted.map(({ id }) => id));
  throw appError('NOT_REVERSIBLE', { ids: rows.flatMap(({ id, reverses }) => (!there.has(id) && reverses ? [reverses] : [])) });
}

/** In the order of locking. */
function sumsOf(entries: readonly NewPointsEntry[]): Map<string, { berries: bigint; count: number }> {
  const sums = new Map<string, { berries: bigint; count: number }>();
  for (const { address } of [...entries].sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0)))
    sums.set(address, { berries: 0n, count: 0 });
  for (const { address, berries } of entries) {
    const sum = sums.get(address);
    if (!sum) continue;
    sum.berries += berries;
    sum.count++;
  }
  return sums;
}

function* batchesOf<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += batch) yield all.slice(at, at + batch);
}
