import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { testDatabase } from '../../testing/support.ts';
import type { Tx } from './db.ts';

const { db, pool, url } = await testDatabase();
await db.execute(sql`create table kept (id int primary key)`);
const kept = async () => (await pool.query<{ id: number }>('select id from kept order by id')).rows.map(({ id }) => id);
const insert = (tx: Tx, id: number) => tx.execute(sql`insert into kept values (${id})`);
afterEach(() => pool.query('delete from kept'));

test('runs statements sent together inside the transaction and rolls all of them back', async () => {
  await expect(
    db.transaction(async (tx) => {
      await Promise.all([1, 2, 3].map((id) => insert(tx, id)));
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await expect(
    db.transaction((tx) => {
      void insert(tx, 4).catch(() => {});
      void insert(tx, 5).catch(() => {});
      return Promise.reject(new Error('undone'));
    }),
  ).rejects.toThrow('undone');
  expect(await kept()).toEqual([]);
});

test('commits nothing when a statement fails, and reuses the connection', async () => {
  await db.execute(sql`insert into kept values (1)`);
  const failing = async (fail: (tx: Tx) => Promise<unknown>) =>
    expect(db.transaction(fail)).rejects.toMatchObject({ cause: { code: expect.stringMatching(/^(23505|42P01)$/) } });
  for (let time = 0; time < 2; time++) {
    await failing((tx) => insert(tx, 1));
    await failing(async (tx) => {
      await insert(tx, 2);
      await insert(tx, 1);
    });
    await failing((tx) => tx.execute(sql`insert into nowhere values (1)`));
  }
  expect(await kept()).toEqual([1]);
  expect(pool.totalCount).toBe(pool.idleCount);
});

test('commits after an inner transaction failed and was rolled back', async () => {
  await db.transaction(async (tx) => {
    await insert(tx, 1);
    await tx.transaction((inner) => insert(inner, 1)).catch(() => {});
    await insert(tx, 2);
  });
  expect(await kept()).toEqual([1, 2]);
});

test('rejects and keeps nothing when a constraint fails at the commit', async () => {
  await db.execute(sql`create table parts (of int references kept deferrable initially deferred)`);
  const part = (id: number, of: number) =>
    db.transaction(async (tx) => {
      await insert(tx, id);
      await tx.execute(sql`insert into parts values (${of})`);
    });
  await expect(part(1, 2)).rejects.toMatchObject({ cause: { code: '23503' } });
  expect(await kept()).toEqual([]);
  await part(1, 1);
  expect(await kept()).toEqual([1]);
  await db.execute(sql`drop table parts`);
});

test('begins with the isolation level that was asked for', async () => {
  const { rows } = await db.transaction((tx) => tx.execute(sql`show transaction_isolation`), {
    isolationLevel: 'repeatable read',
  });
  expect(rows).toEqual([{ transaction_isolation: 'repeatable read' }]);
});

test('rejects when the connection is lost before the commit, and frees the connection in the pool', async () => {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  for (let time = 0; time < 12; time++) {
    const lost = db.transaction(async (tx) => {
      await insert(tx, 1);
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    });
    await expect(lost).rejects.toThrow();
  }
  await other.end();
  expect(await kept()).toEqual([]);
  expect(pool.totalCount).toBe(pool.idleCount);
  await db.transaction((tx) => insert(tx, 2));
  expect(await kept()).toEqual([2]);
});
