import { createServer, connect, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createApp } from '../../app.ts';
import { roles } from '../auth/tables.ts';
import { openDatabase } from './db.ts';
import { createLogger } from '../core/log.ts';
import { chainEnv } from '../../testing/crsm.ts';
import { send, signInAs, testApp } from '../../testing/support.ts';

/** A proxy to PostgreSQL that can be cut. */
async function cable(target: URL) {
  const sockets = new Set<Socket>();
  let port = 0;
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => (sockets.delete(socket), near.destroy(), far.destroy()));
    }
    near.pipe(far).pipe(near);
  });
  const mend = () =>
    new Promise<void>((resolve) =>
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        if (address && typeof address === 'object') port = address.port;
        resolve();
      }),
    );
  await mend();
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${port}` }).href,
    mend,
    cut: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

test('the server responds UNAVAILABLE without its database, and recovers when it is back', async () => {
  const whole = await testApp();
  const line = await cable(new URL(whole.database.url));
  const log = createLogger({ level: 'silent' });
  const database = openDatabase({ url: line.url, log });
  const app = { ...whole, http: await createApp({ config: whole.config, log, database }) };
  const { headers } = await signInAs(app, 'all');
  const read = () => send(app, 'GET', '/api/session', undefined, headers);
  const ready = async () => (await send(app, 'GET', '/readyz')).status;
  expect((await read()).status).toBe(200);
  expect(await ready()).toBe(200);

  await line.cut();
  const answers = await Promise.all([read(), read(), read()]);
  for (const answer of answers) {
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ code: 'UNAVAILABLE' });
  }
  expect(await ready()).toBe(503);
  expect((await send(app, 'GET', '/healthz')).status).toBe(200);

  await line.mend();
  expect((await read()).status).toBe(200);
  expect(await ready()).toBe(200);

  await whole.database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await expect.poll(async () => (await read()).status).toBe(200);

  await database.close();
  await line.cut();
});

test('connections lost during transactions cost the pool nothing', async () => {
  const app = await testApp();
  const { db, pool } = app.database;
  for (let round = 0; round < 12; round++) {
    const lost = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await pool.query('select 1');
      const other = new pg.Client({ connectionString: app.database.url });
      await other.connect();
      await other.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await other.end();
      return tx.execute(sql`select 2`);
    });
    await expect(lost).rejects.toThrow();
  }
  await expect.poll(() => pool.idleCount).toBe(pool.totalCount);
  const allAtOnce = () => Promise.all(Array.from({ length: 10 }, () => db.transaction((tx) => tx.$count(roles))));
  await expect.poll(() => allAtOnce().catch(() => 'cut')).toEqual(Array.from({ length: 10 }, () => 6));
});

test('a transaction that cannot begin returns its connection', async () => {
  const { db, pool } = (await testApp()).database;
  for (let round = 0; round < 12; round++) {
    const refused = db.transaction((tx) => tx.$count(roles), { isolationLevel: 'nonsense' as 'serializable' });
    await expect(refused).rejects.toThrow();
  }
  expect(await db.transaction((tx) => tx.$count(roles))).toBe(6);
  expect(pool.totalCount - pool.idleCount).toBe(0);
});

test('a query past its timeout is UNAVAILABLE', async () => {
  const app = await testApp();
  const { headers } = await signInAs(app, 'all');
  const client = await app.database.pool.connect();
  await client.query('begin');
  await client.query('lock table permission_nodes in access exclusive mode');
  const response = await send(app, 'GET', '/api/session', undefined, headers);
  await client.query('rollback');
  client.release();
  expect(response.status).toBe(503);
});

test('several processes that start together on an empty database create everything once', async () => {
  const app = await testApp(chainEnv('http://127.0.0.1:9'), { jobs: false });
  const { pool } = app.database;
  const name = new URL(app.database.url).pathname.slice(1);
  await pool.query(`create database ${name}_fresh`);
  const url = app.database.url.replace(name, `${name}_fresh`);
  const log = createLogger({ level: 'silent' });
  const databases = [0, 1, 2].map(() => openDatabase({ url, log }));
  await Promise.all(databases.map((database) => createApp({ config: app.config, log, database, jobs: false })));
  const counts = await databases[0]?.pool.query(
    `select (select count(*) from roles) as roles, (select count(*) from administrators) as people,
      (select count(*) from authority_lines where number = 0) as genesis`,
  );
  expect(counts?.rows).toEqual([{ roles: '6', people: '6', genesis: '1' }]);
  await Promise.all(databases.map((database) => database.close()));
  await pool.query(`drop database ${name}_fresh with (force)`);
});
