import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../platform/db/db.ts';

/** Fails a transaction that requests a second connection: enough concurrent ones would deadlock the pool. */
export function limitToOneConnection(database: Database): Database {
  const { db, pool } = database;
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();
  const transaction: typeof db.transaction = async (transactionEffect, config) => {
    const transactionState = { isOpen: true };
    try {
      return await db.transaction((tx) => transactions.run(transactionState, () => transactionEffect(tx)), config);
    } finally {
      transactionState.isOpen = false;
    }
  };
  const { connect } = pool;
  const rejectSecondConnection = (...callback: Parameters<typeof connect>) => {
    if (transactions.getStore()?.isOpen) throw new Error('a transaction asks for a second connection');
    return connect.apply(pool, callback);
  };
  Object.assign(pool, { connect: rejectSecondConnection });
  return { ...database, db: Object.create(db, { transaction: { value: transaction } }) as typeof db };
}
