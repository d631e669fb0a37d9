import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database } from '../platform/db/db.ts';

/**
 * The database for a server that is tested: a transaction of its that asks the pool for a second connection fails. As many of them at
 * once as the pool has would each hold one and wait for another, and nobody else would get any.
 */
export function withOneConnectionEach(database: Database): Database {
  const { db, pool } = database;
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();
  const transaction: typeof db.transaction = async (effect, config) => {
    const state = { isOpen: true };
    try {
      return await db.transaction((tx) => transactions.run(state, () => effect(tx)), config);
    } finally {
      state.isOpen = false;
    }
  };
  const { connect } = pool;
  const refusing = (...callback: Parameters<typeof connect>) => {
    if (transactions.getStore()?.isOpen) throw new Error('a transaction asks for a second connection');
    return connect.apply(pool, callback);
  };
  Object.assign(pool, { connect: refusing });
  return { ...database, db: Object.create(db, { transaction: { value: transaction } }) as typeof db };
}
