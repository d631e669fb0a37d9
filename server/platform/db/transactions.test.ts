import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase } from '../../testing/support.ts';
import type { Tx } from './db.ts';

const { db, pool, url } = await createTestDatabase();
await db.execute(sql`create table kept (id int primary key)`);
const readKeptIds = async () => (await pool.query<{ id: number }>('select id from kept order by id')).rows.map(({ id }) => id);
const insertKept = (tx: Tx, id: number) => tx.execute(sql`insert into kept values (${id})`);
afterEach(() => pool.query('delete from kept'));

test('runs statements sent together inside the transaction and rolls all of them back', async () => {
  await expect(
    db.transaction(async (tx) => {
      await Promise.all([1, 2, 3].map((id) => insertKept(tx, id)));
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await expect(
    db.transaction((tx) => {
      void insertKept(tx, 4).catch(() => {});
      void insertKept(tx, 5).catch(() => {});
      return Promise.reject(new Error('undone'));
    }),
  ).rejects.toThrow('undone');
  expect(await readKeptIds()).toEqual([]);
});

test('commits nothing when a statement fails, and reuses the connection', async () => {
  await db.execute(sql`insert into kept values (1)`);
  const expectFailure = async (failTransaction: (tx: Tx) => Promise<unknown>) =>
    expect(db.transaction(failTransaction)).rejects.toMatchObject({ cause: { code: expect.stringMatching(/^(23505|42P01)$/) } });
  for (let attempt = 0; attempt < 2; attempt++) {
    await expectFailure((tx) => insertKept(tx, 1));
    await expectFailure(async (tx) => {
      await insertKept(tx, 2);
      await insertKept(tx, 1);
    });
    await expectFailure((tx) => tx.execute(sql`insert into nowhere values (1)`));
  }
  expect(await readKeptIds()).toEqual([1]);
  expect(pool.totalCount).toBe(pool.idleCount);
});

test('commits after an inner transaction failed and was rolled back', async () => {
  await db.transaction(async (tx) => {
    await insertKept(tx, 1);
    await tx.transaction((nestedTx) => insertKept(nestedTx, 1)).catch(() => {});
    await insertKept(tx, 2);
  });
  expect(await readKeptIds()).toEqual([1, 2]);
});

test('rejects and keeps nothing when a constraint fails at the commit', async () => {
  await db.execute(sql`create table parts (of int references kept deferrable initially deferred)`);
  const insertPart = (id: number, referencedId: number) =>
    db.transaction(async (tx) => {
      await insertKept(tx, id);
      await tx.execute(sql`insert into parts values (${referencedId})`);
    });
  await expect(insertPart(1, 2)).rejects.toMatchObject({ cause: { code: '23503' } });
  expect(await readKeptIds()).toEqual([]);
  await insertPart(1, 1);
  expect(await readKeptIds()).toEqual([1]);
  await db.execute(sql`drop table parts`);
});

test('begins with the isolation level that was asked for', async () => {
  const { rows } = await db.transaction((tx) => tx.execute(sql`show transaction_isolation`), {
    isolationLevel: 'repeatable read',
  });
  expect(rows).toEqual([{ transaction_isolation: 'repeatable read' }]);
});

test('rejects when the connection is lost before the commit, and frees the connection in the pool', async () => {
  const secondClient = new pg.Client({ connectionString: url });
  await secondClient.connect();
  for (let attempt = 0; attempt < 12; attempt++) {
    const interruptedTransaction = db.transaction(async (tx) => {
      await insertKept(tx, 1);
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await secondClient.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    });
    await expect(interruptedTransaction).rejects.toThrow();
  }
  await secondClient.end();
  expect(await readKeptIds()).toEqual([]);
  expect(pool.totalCount).toBe(pool.idleCount);
  await db.transaction((tx) => insertKept(tx, 2));
  expect(await readKeptIds()).toEqual([2]);
});
