import { createServer, connect, type Socket } from 'node:net';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createApp } from '../../app.ts';
import { roles } from '../auth/tables.ts';
import { openDatabase } from './db.ts';
import { createLogger } from '../core/log.ts';
import { buildChainEnv } from '../../testing/crsm.ts';
import { send, signInAs, createTestApp } from '../../testing/support.ts';

/** A proxy to PostgreSQL that can be cut. */
async function createTcpProxy(target: URL) {
  const sockets = new Set<Socket>();
  let port = 0;
  const server = createServer((clientSocket) => {
    const upstreamSocket = connect(Number(target.port), target.hostname);
    for (const socket of [clientSocket, upstreamSocket]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => (sockets.delete(socket), clientSocket.destroy(), upstreamSocket.destroy()));
    }
    clientSocket.pipe(upstreamSocket).pipe(clientSocket);
  });
  const restartListening = () =>
    new Promise<void>((resolve) =>
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        if (address && typeof address === 'object') port = address.port;
        resolve();
      }),
    );
  await restartListening();
  return {
    url: Object.assign(new URL(target), { host: `127.0.0.1:${port}` }).href,
    mend: restartListening,
    cut: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

test('the server responds UNAVAILABLE without its database, and recovers when it is back', async () => {
  const directApp = await createTestApp();
  const proxy = await createTcpProxy(new URL(directApp.database.url));
  const log = createLogger({ level: 'silent' });
  const database = openDatabase({ url: proxy.url, log });
  const app = { ...directApp, http: await createApp({ config: directApp.config, log, database }) };
  const { headers } = await signInAs(app, 'all');
  const readSession = () => send(app, 'GET', '/api/session', undefined, headers);
  const readReadiness = async () => (await send(app, 'GET', '/readyz')).status;
  expect((await readSession()).status).toBe(200);
  expect(await readReadiness()).toBe(200);

  await proxy.cut();
  const responses = await Promise.all([readSession(), readSession(), readSession()]);
  for (const response of responses) {
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'UNAVAILABLE' });
  }
  expect(await readReadiness()).toBe(503);
  expect((await send(app, 'GET', '/healthz')).status).toBe(200);

  await proxy.mend();
  expect((await readSession()).status).toBe(200);
  expect(await readReadiness()).toBe(200);

  await directApp.database.pool.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  await expect.poll(async () => (await readSession()).status).toBe(200);

  await database.close();
  await proxy.cut();
});

test('connections lost during transactions cost the pool nothing', async () => {
  const app = await createTestApp();
  const { db, pool } = app.database;
  for (let roundNumber = 0; roundNumber < 12; roundNumber++) {
    const interruptedTransaction = db.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      await pool.query('select 1');
      const secondClient = new pg.Client({ connectionString: app.database.url });
      await secondClient.connect();
      await secondClient.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      await secondClient.end();
      return tx.execute(sql`select 2`);
    });
    await expect(interruptedTransaction).rejects.toThrow();
  }
  await expect.poll(() => pool.idleCount).toBe(pool.totalCount);
  const runConcurrently = () => Promise.all(Array.from({ length: 10 }, () => db.transaction((tx) => tx.$count(roles))));
  await expect.poll(() => runConcurrently().catch(() => 'cut')).toEqual(Array.from({ length: 10 }, () => 6));
});

test('a transaction that cannot begin returns its connection', async () => {
  const { db, pool } = (await createTestApp()).database;
  for (let roundNumber = 0; roundNumber < 12; roundNumber++) {
    const rejectedTransaction = db.transaction((tx) => tx.$count(roles), { isolationLevel: 'nonsense' as 'serializable' });
    await expect(rejectedTransaction).rejects.toThrow();
  }
  expect(await db.transaction((tx) => tx.$count(roles))).toBe(6);
  expect(pool.totalCount - pool.idleCount).toBe(0);
});

test('a query past its timeout is UNAVAILABLE', async () => {
  const app = await createTestApp();
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
  const app = await createTestApp(buildChainEnv('http://127.0.0.1:9'), { jobs: false });
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
