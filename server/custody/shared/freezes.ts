import { asc, isNull, sql } from 'drizzle-orm';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { moneyFreezes } from '../tables.ts';

export type MoneyFreeze = typeof moneyFreezes.$inferSelect;

const freezeLock = 4280_0017;

/** Serializes changes of freezes, and waits for signatures in progress. */
export const lockFreezes = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(${freezeLock})`);

/** Blocks freezes until this transaction ends, so that a signature comes before or not at all. */
export const lockFreezesShared = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock_shared(${freezeLock})`);

/** At most one of a difference and one by hand. */
export const readOpenFreezes = (queries: Queries): Promise<MoneyFreeze[]> =>
  queries.select().from(moneyFreezes).where(isNull(moneyFreezes.resolvedAt)).orderBy(asc(moneyFreezes.kind));

export const isFrozen = async (queries: Queries): Promise<boolean> => (await readOpenFreezes(queries)).length > 0;
