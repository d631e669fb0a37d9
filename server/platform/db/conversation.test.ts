import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { testDatabase } from '../../testing/support.ts';
import { Conversation } from './conversation.ts';
import { FramedQuery } from './framed-query.ts';
import { endNamed, runNamed } from './named.ts';

const { db, pool, url } = await testDatabase();
await db.execute(sql`create table kept (id int primary key)`);
const kept = async () => (await pool.query<{ id: number }>('select id from kept order by id')).rows.map(({ id }) => id);
const insert = (id: number) => ({ text: 'insert into kept values ($1)', values: [id] });
afterEach(() => pool.query('delete from kept'));

/** Ways to the database and back: answers that it was ready for more. */
async function ways(act: (client: pg.PoolClient, conversation: Conversation) => Promise<unknown>): Promise<number> {
  const client = await pool.connect();
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  let ready = 0;
  const count = () => ready++;
  connection.on('readyForQuery', count);
  try {
    await act(client, new Conversation(client));
    return ready;
  } finally {
    connection.off('readyForQuery', count);
    await client.query('rollback');
    client.release();
  }
}

test('a transaction begins with its first statement, and may end with its last: as many ways as statements', async () => {
  const long = await ways(async (_, conversation) => {
    await conversation.query({ text: 'begin' });
    await conversation.query(insert(1));
    await conversation.query(insert(2));
    await conversation.last(insert(3));
    await conversation.query({ text: 'commit' });
  });
  expect(long).toBe(3);
  expect(await kept()).toEqual([1, 2, 3]);
  const short = await ways(async (_, conversation) => {
    await conversation.query({ text: 'begin' });
    await conversation.last(insert(4));
    await conversation.query({ text: 'commit' });
  });
  expect(short).toBe(1);
  const none = await ways(async (_, conversation) => {
    await conversation.query({ text: 'begin' });
    await conversation.query({ text: 'commit' });
    await conversation.query({ text: 'begin' });
    await conversation.query({ text: 'rollback' });
  });
  expect(none).toBe(0);
  expect(await kept()).toEqual([1, 2, 3, 4]);
});

test('rows, their types and their number are those of the statement itself, named or not, again and again', async () => {
  for (const name of [undefined, 'two-rows'])
    for (let time = 0; time < 3; time++)
      await ways(async (_, conversation) => {
        await conversation.query({ text: 'begin' });
        const asked = { text: 'select n, now() > $1::timestamptz as later from generate_series(1, 2) n', values: ['2000-01-01'] };
        const rows = [
          { n: 1, later: true },
          { n: 2, later: true },
        ];
        const named = name === undefined ? asked : { ...asked, name };
        expect(await conversation.query(named)).toMatchObject({ command: 'SELECT', rowCount: 2, rows });
        expect(await conversation.last(named)).toMatchObject({ command: 'SELECT', rowCount: 2, rows });
      });
});

test('nothing runs outside of a transaction that could not begin', async () => {
  const client = await pool.connect();
  const prototype = FramedQuery.prototype as unknown as { prepare(wire: unknown): void };
  const { prepare } = prototype;
  // The way it would be told if PostgreSQL refused to begin: with another word for it.
  prototype.prepare = function (wire) {
    const other = Object.create(wire as object, {
      parse: {
        value: (statement: { text: string }) =>
          (wire as { parse(statement: unknown): void }).parse({
            ...statement,
            text: statement.text.replace(/^begin$/, 'begin nonsense'),
          }),
      },
    }) as unknown;
    prepare.call(this, other);
  };
  try {
    const conversation = new Conversation(client);
    await conversation.query({ text: 'begin' });
    const told = [conversation.query(insert(1)), conversation.query(insert(2)), conversation.last(insert(3))];
    for (const one of told) await expect(one).rejects.toThrow('nonsense');
    await conversation.query({ text: 'rollback' });
  } finally {
    prototype.prepare = prepare;
    client.release();
  }
  expect(await kept()).toEqual([]);
});

test('several statements at once are all in the transaction, whichever begins it', async () => {
  await expect(
    db.transaction(async (tx) => {
      await Promise.all([1, 2, 3].map((id) => tx.execute(sql`insert into kept values (${id})`)));
      await tx.execute(sql`select 1`);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await expect(
    db.transaction(async (tx) => {
      await Promise.all([tx.execute(sql`select 1`), tx.execute(sql`insert into kept values (4)`)]);
      throw new Error('undone');
    }),
  ).rejects.toThrow('undone');
  await expect(
    db.transaction((tx) => {
      // Nobody waits for these; what is said after the transaction was given up is not said outside of it.
      void tx.execute(sql`select 1`).catch(() => {});
      void tx.execute(sql`insert into kept values (5)`).catch(() => {});
      return Promise.reject(new Error('undone'));
    }),
  ).rejects.toThrow('undone');
  expect(await kept()).toEqual([]);
});

test('one that fails commits nothing, first or last, and the connection goes on', async () => {
  await db.execute(sql`insert into kept values (1)`);
  const failing = (fail: (tx: Parameters<Parameters<typeof db.transaction>[0]>[0]) => Promise<unknown>) =>
    expect(db.transaction(fail)).rejects.toMatchObject({});
  for (let time = 0; time < 2; time++) {
    await failing((tx) => tx.execute(sql`insert into kept values (${1})`));
    await failing(async (tx) => {
      await tx.execute(sql`insert into kept values (${2})`);
      await endNamed(tx, 'keep', 'insert into kept values ($1)', [1]);
    });
    await failing((tx) => endNamed(tx, 'keep', 'insert into kept values ($1)', [1]));
    await failing((tx) => endNamed(tx, 'no-table', 'insert into nowhere values ($1)', [1]));
    await failing((tx) => runNamed(tx, 'no-table', 'insert into nowhere values ($1)', [1]));
  }
  expect(await kept()).toEqual([1]);
  expect(pool.totalCount).toBe(pool.idleCount);
});

test('what is only found at the commit is told, and nothing is kept', async () => {
  await db.execute(sql`create table parts (id int, of int references kept deferrable initially deferred)`);
  const broken = db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (${1})`);
    await endNamed(tx, 'part', 'insert into parts values (1, $1)', [2]);
  });
  await expect(broken).rejects.toMatchObject({ code: '23503' });
  expect(await kept()).toEqual([]);
  await db.transaction(async (tx) => {
    await tx.execute(sql`insert into kept values (${1})`);
    await endNamed(tx, 'part', 'insert into parts values (1, $1)', [1]);
  });
  expect(await kept()).toEqual([1]);
  await db.execute(sql`drop table parts`);
});

test('one with a level of isolation begins at once, whatever the one before it came to', async () => {
  const client = await pool.connect();
  const conversation = new Conversation(client);
  const level = async () => {
    await conversation.query({ text: 'begin isolation level repeatable read' });
    const { rows } = (await conversation.query({ text: 'show transaction_isolation' })) as pg.QueryResult;
    await conversation.query({ text: 'commit' });
    return rows;
  };
  const repeatable = [{ transaction_isolation: 'repeatable read' }];
  await conversation.query({ text: 'begin' });
  await conversation.last(insert(1));
  expect(await level()).toEqual(repeatable);
  await conversation.query({ text: 'begin' });
  await expect(conversation.query(insert(1))).rejects.toMatchObject({ code: '23505' });
  await conversation.query({ text: 'rollback' });
  expect(await level()).toEqual(repeatable);
  client.release();
});

test('nothing can be said to a transaction that has ended', async () => {
  const late = db.transaction(async (tx) => {
    await endNamed(tx, 'keep', 'insert into kept values ($1)', [1]);
    await tx.execute(sql`insert into kept values (${2})`);
  });
  await expect(late).rejects.toMatchObject({ cause: { message: 'the transaction has ended' } });
  expect(await kept()).toEqual([1]);
});

test('nothing more is said after the last statement, though it is still on its way, or failed at the commit', async () => {
  await db.execute(sql`create table parts (of int references kept deferrable initially deferred)`);
  const swallowed = db.transaction(async (tx) => {
    await endNamed(tx, 'part-of', 'insert into parts values ($1)', [7]).catch(() => {});
    await tx.execute(sql`insert into kept values (${2})`);
  });
  await expect(swallowed).rejects.toMatchObject({ cause: { message: 'the transaction has ended' } });
  const unheard = db.transaction(async (tx) => {
    await endNamed(tx, 'part-of', 'insert into parts values ($1)', [7]).catch(() => {});
  });
  await expect(unheard).rejects.toMatchObject({ cause: { message: 'the transaction has ended' } });
  expect(await kept()).toEqual([]);
  await db.transaction(async (tx) => {
    const last = endNamed(tx, 'keep', 'insert into kept values ($1)', [1]);
    await expect(tx.execute(sql`insert into kept values (${2})`)).rejects.toThrow();
    await expect(endNamed(tx, 'keep', 'insert into kept values ($1)', [3])).rejects.toThrow('has ended');
    await last;
  });
  expect(await kept()).toEqual([1]);
  await db.execute(sql`drop table parts`);
});

test('a connection that is lost with the commit on its way is an error, and costs the pool nothing', async () => {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  for (let time = 0; time < 12; time++) {
    const lost = db.transaction(async (tx) => {
      const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
      await endNamed(tx, 'keep', 'insert into kept values ($1)', [1]);
    });
    await expect(lost).rejects.toThrow();
  }
  await other.end();
  expect(await kept()).toEqual([]);
  await db.transaction((tx) => endNamed(tx, 'keep', 'insert into kept values ($1)', [2]));
  expect(await kept()).toEqual([2]);
});
