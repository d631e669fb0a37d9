import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** What one process at a time does on a database: several may start at once. */
export const turns = { migrate: 4280_0001, begin: 4280_0002 } as const;

/**
 * Does what no other process on this database does at the same time; others wait for their turn, however long. `connect` gives a
 * connection of its own, to PostgreSQL itself and without clocks. The lock is that connection's: with a process that dies it is free.
 */
export async function inTurn<T>(
  connect: () => Promise<pg.Client>,
  turn: keyof typeof turns,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect();
  try {
    await waitForLock(client, turns[turn]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Asks again and again: a session that waits inside PostgreSQL holds a snapshot, for which an index that is built concurrently would wait. */
async function waitForLock(client: pg.Client, lock: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock]);
    if (rows[0]?.taken) return;
    await sleep(100);
  }
}
