import type { Database } from './db.ts';

/**
 * Does what no other process on this database does at the same time; others wait for their turn. `turn` tells one such thing from
 * another. The lock is a connection's own: with a process that dies it is free.
 */
export async function inTurn<T>({ connect }: Pick<Database, 'connect'>, turn: number, work: () => Promise<T>): Promise<T> {
  const client = await connect();
  try {
    await client.query('select pg_advisory_lock($1)', [turn]);
    return await work();
  } finally {
    await client.end();
  }
}
