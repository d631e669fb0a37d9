import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** Advisory locks. */
export const turns = { migrate: 4280_0001, begin: 4280_0002 } as const;

/**
 * Runs under an advisory lock, without a timeout. `connect` gives an own connection that bypasses poolers. The lock ends with
 * that connection.
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

/** Polls, because a session waiting in PostgreSQL holds a snapshot that would block a concurrent index build. */
async function waitForLock(client: pg.Client, lock: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lock]);
    if (rows[0]?.taken) return;
    await sleep(100);
  }
}
