import { asc, isNull, sql } from 'drizzle-orm';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { moneyFreezes } from '../tables.ts';

export type MoneyFreeze = typeof moneyFreezes.$inferSelect;

const freezeLock = 4280_0017;

/** Freezes are opened and lifted one after the other, and not while something is being signed. */
export const lockFreezes = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(${freezeLock})`);

/** Until this transaction ends no freeze is opened: what is signed in it came before, or did not come. */
export const holdFreezes = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock_shared(${freezeLock})`);

/** The freezes that block money commands: at most one of a difference, and one by hand behind it. */
export const openFreezes = (queries: Queries): Promise<MoneyFreeze[]> =>
  queries.select().from(moneyFreezes).where(isNull(moneyFreezes.resolvedAt)).orderBy(asc(moneyFreezes.kind));

/** Whether money stands still: figures disagree and nobody has said why, or somebody froze it by hand. */
export const isFrozen = async (queries: Queries): Promise<boolean> => (await openFreezes(queries)).length > 0;
