import { asc, inArray, sql } from 'drizzle-orm';
import type { PointsSource } from '../../../api/rewards/points.ts';
import type { Tx } from '../../platform/db/db.ts';
import { failure } from '../../platform/core/errors.ts';
import { newId } from '../../platform/core/ids.ts';
import { pointBalances, points } from '../tables.ts';

/** One line of the ledger to be written. The address is in its EIP-55 spelling, the berries are not zero. */
export interface NewEntry {
  address: string;
  berries: bigint;
  reason: string;
  source: PointsSource;
  /** The entry this one takes back. */
  reverses?: string;
  importId?: string;
  importLine?: number;
  administratorId: string | null;
  administratorEmail: string;
  createdAt: Date;
}

export type Entry = typeof points.$inferSelect;
export type Balance = typeof pointBalances.$inferSelect;

export interface Appended {
  /** In the order given. */
  entries: Entry[];
  /** Of every address named, as it was before (null: it had no entry) and as it is now; in the order of the addresses. */
  balances: { before: Balance | null; after: Balance }[];
}

const batch = 1_000;

/**
 * The one way into the ledger: entries and balances in one transaction. All of them or none: throws BALANCE_TOO_LOW when
 * any address would be below zero after the last one, NOT_REVERSIBLE when an entry is reversed already.
 * Balances are locked in the order of their addresses, so that two such writes cannot deadlock; call it once a transaction.
 */
export async function appendEntries(tx: Tx, wanted: readonly NewEntry[]): Promise<Appended> {
  const first = wanted[0];
  if (!first) return { entries: [], balances: [] };
  const sums = sumsOf(wanted);
  const addresses = [...sums.keys()];
  const zero = { berries: 0n, entries: 0, updatedAt: first.createdAt };
  for (const some of batchesOf(addresses))
    await tx
      .insert(pointBalances)
      .values(some.map((address) => ({ ...zero, address })))
      .onConflictDoNothing();

  const locked: Balance[] = [];
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
  if (low.length > 0) throw failure('BALANCE_TOO_LOW', { addresses: low.slice(0, 10) });

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
  const entries: Entry[] = [];
  const rows = wanted.map((entry) => ({ ...entry, id: newId(entry.createdAt.getTime()) }));
  for (const some of batchesOf(rows)) entries.push(...(await insertEntries(tx, some)));
  return { entries, balances };
}

/** A second reversal of an entry meets the unique index; what was reversed meanwhile is found missing here. */
async function insertEntries(tx: Tx, rows: readonly (typeof points.$inferInsert)[]): Promise<Entry[]> {
  const inserted = await tx
    .insert(points)
    .values([...rows])
    .onConflictDoNothing({ target: points.reverses })
    .returning();
  if (inserted.length === rows.length) return inserted;
  const there = new Set(inserted.map(({ id }) => id));
  throw failure('NOT_REVERSIBLE', { ids: rows.flatMap(({ id, reverses }) => (!there.has(id) && reverses ? [reverses] : [])) });
}

/** What each address gets in all, in the order in which balances are locked. */
function sumsOf(entries: readonly NewEntry[]): Map<string, { berries: bigint; count: number }> {
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
