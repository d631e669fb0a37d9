import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

export const advisoryLocks = { migrate: 4280_0001, begin: 4280_0002 } as const;

/** Under an advisory lock, without a timeout. `connect` must bypass poolers. The lock ends with its connection. */
export async function withAdvisoryLock<T>(
  connect: () => Promise<pg.Client>,
  lockName: keyof typeof advisoryLocks,
  task: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await connect();
  try {
    await waitForLock(client, advisoryLocks[lockName]);
    return await task(client);
  } finally {
    await client.end();
  }
}

/** Polls, because a waiting session's snapshot would block concurrent index builds. */
async function waitForLock(client: pg.Client, lockId: number): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockId]);
    if (rows[0]?.taken) return;
    await sleep(100);
  }
}
