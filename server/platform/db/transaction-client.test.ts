import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from './db.ts';
import { createLogger } from '../core/log.ts';
import { createTestDatabase } from '../../testing/support.ts';

const log = createLogger({ level: 'silent' });

async function openPooled(connections = 2) {
  const { url } = await createTestDatabase();
  return openDatabase({ url, directUrl: url, log, connections });
}

const readTimeouts = sql`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
  current_setting('idle_in_transaction_session_timeout') as idle`;
const requestedTimeouts = { statement: '5s', lock: '2s', idle: '10s' };

test('timeouts apply inside and outside a transaction, and to no other session', async () => {
  const database = await openPooled(1);
  expect((await database.db.execute(readTimeouts)).rows).toEqual([requestedTimeouts]);
  await database.db.transaction(async (tx) => expect((await tx.execute(readTimeouts)).rows).toEqual([requestedTimeouts]));
  expect((await database.counts.execute(readTimeouts)).rows).toEqual([{ ...requestedTimeouts, statement: '250ms' }]);
  const client = await database.pool.connect();
  await client.query('begin; commit');
  await client.query('commit');
  client.release();
  const directClient = await database.connect();
  expect((await directClient.query("select current_setting('statement_timeout') as ms")).rows).toEqual([{ ms: '0' }]);
  await directClient.end();
  await database.close();
});

test('ends a statement past its timeout and keeps the connection', async () => {
  const database = await openPooled(1);
  await expect(database.counts.execute(sql`select pg_sleep(3)`)).rejects.toMatchObject({ cause: { code: '57014' } });
  expect((await database.counts.execute(sql`select 1 as one`)).rows).toEqual([{ one: 1 }]);
  await database.close();
});

test('a failure leaves no open transaction and no written row', async () => {
  const database = await openPooled(1);
  const { db } = database;
  await db.execute(sql`create table kept (id int primary key)`);
  await db.execute(sql`insert into kept values (1)`);
  await expect(db.execute(sql`insert into kept values (2), (1)`)).rejects.toMatchObject({ cause: { code: '23505' } });
  await expect(
    db.transaction(async (tx) => {
      await tx.execute(sql`insert into kept values (3)`);
      await tx.transaction(async (nestedTx) => {
        await nestedTx.execute(sql`insert into kept values (4)`);
        throw new Error('undone');
      });
    }),
  ).rejects.toThrow('undone');
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (5)`);
    await tx.transaction((nestedTx) => nestedTx.execute(sql`insert into kept values (1)`)).catch(() => {});
    await tx.execute(sql`insert into kept values (6)`);
  });
  expect((await db.execute(sql`select id from kept order by id`)).rows).toEqual([{ id: 1 }, { id: 5 }, { id: 6 }]);
  await database.close();
});

test('never names a statement, which another session would not know', async () => {
  const database = await openPooled(1);
  const query = { name: 'session', text: 'select $1::int as one', values: [1] };
  expect((await database.pool.query<{ one: number }>(query)).rows).toEqual([{ one: 1 }]);
  const { rows } = await database.pool.query<{ names: string }>('select count(*) as names from pg_prepared_statements');
  expect(rows).toEqual([{ names: '0' }]);
  await database.close();
});

test('refuses a database that is not UTF-8 in one line', async () => {
  const { url, pool, close } = await openPooledWithEncoding('SQL_ASCII');
  const database = openDatabase({ url, log });
  await expect(database.migrate()).rejects.toThrow(/^The database \w+ uses the encoding SQL_ASCII, but the panel needs UTF8/);
  await database.close();
  await close(pool);
});

async function openPooledWithEncoding(encoding: string) {
  const directDatabase = await createTestDatabase();
  const name = `test_${encoding.toLowerCase()}_${process.pid}`;
  const pool = new pg.Pool({ connectionString: directDatabase.url, max: 1 });
  await pool.query(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
  return {
    url: Object.assign(new URL(directDatabase.url), { pathname: `/${name}` }).href,
    pool,
    close: async (pooledPool: pg.Pool) => {
      await pooledPool.query(`drop database ${name} with (force)`);
      await pooledPool.end();
    },
  };
}
