import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { requireProgram } from '../../scripts/suite/debian.mjs';
import { addNews, signInAt, writtenReasons } from '../testing/callers.ts';
import { startPgbouncer } from '../testing/pgbouncer.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';
import { startHaproxy, startNginx, type Proxy } from '../testing/proxies.ts';
import { testDatabase } from '../testing/support.ts';

// Real proxies and poolers, between the panel and its database and between it and its users.

const folder = mkdtempSync(join(tmpdir(), 'between-'));
const ends: (() => Promise<unknown>)[] = [];

// Installed here, because tests have a time limit.
beforeAll(async () => {
  for (const program of ['pgbouncer', 'nginx', 'haproxy']) await requireProgram(program);
}, 300_000);
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function start(env: Record<string, string>): ServerProcess {
  const server = startServer(join(folder, 'data'), { DEVNET: 'off', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0', ...env });
  ends.push(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  });
  return server;
}

describe('pgbouncer in transaction mode', () => {
  test('carries writes, reads and an export, with timeouts', { timeout: 120_000 }, async () => {
    const database = await testDatabase();
    const bouncer = await startPgbouncer(database.url);
    ends.push(bouncer.stop);
    const server = start({ DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: database.url });
    const origin = await server.ready;
    const session = await signInAt(origin, 'editor');
    const sent: string[] = [];
    const answers: number[] = [];
    for (let round = 0; round < 8; round++) {
      const requested = Array.from({ length: 8 }, (_, at) => `pooled ${round}-${at}`);
      sent.push(...requested);
      const added = requested.map((title) => addNews(origin, session, title));
      const seen = requested.map(() => fetch(`${origin}/api/session`, { headers: { ...session } }));
      answers.push(...(await Promise.all([...added, ...seen])).map(({ status }) => status));
    }
    expect([...new Set(answers)]).toEqual([200]);
    expect(await writtenReasons(database.url, 'news.title', 'pooled ')).toEqual(sent.toSorted());
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect(server.output()).not.toMatch(/prepared statement/);
  });

  test.each([
    [{}, /^DATABASE_URL points to a connection pooler \(127\.0\.0\.1:\d+\)\. Set DATABASE_DIRECT_URL to PostgreSQL itself\.$/],
    [
      { ignore_startup_parameters: 'statement_timeout,lock_timeout,idle_in_transaction_session_timeout' },
      /^DATABASE_URL points to a connection pooler that drops statement_timeout\. Set DATABASE_DIRECT_URL/,
    ],
  ])('is reported in one line if it is not configured: %j', { timeout: 60_000 }, async (settings, line) => {
    const database = await testDatabase();
    const bouncer = await startPgbouncer(database.url, settings);
    ends.push(bouncer.stop);
    const server = start({ DATABASE_URL: bouncer.url });
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.output().trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });
});

describe.each<[string, (origins: readonly string[]) => Promise<Proxy>]>([
  ['nginx', startNginx],
  ['haproxy', startHaproxy],
])('a rolling update behind %s', (name, startProxy) => {
  test('a rolling restart behind proxies shows no error to writers and a reader', { timeout: 180_000 }, async () => {
    const database = await testDatabase();
    const env = { DATABASE_URL: database.url, DRAIN_SECONDS: '3' };
    const servers = [start(env), start(env)];
    const origins = await Promise.all(servers.map(({ ready }) => ready));
    const proxy = await startProxy(origins);
    ends.push(proxy.stop);
    const session = await signInAt(proxy.url, 'editor');
    const sent: string[] = [];
    const refused: string[] = [];
    let over = false;
    const writer = async (who: number) => {
      for (let step = 0; !over; step++) {
        const title = `${name} ${who}-${step}`;
        const status = await addNews(proxy.url, session, title).then(
          (answer) => answer.status,
          (error: unknown) => String(error),
        );
        if (status === 200) sent.push(title);
        else refused.push(`${title}: ${status}`);
        await sleep(10);
      }
    };
    const reader = async () => {
      for (; !over; await sleep(10)) {
        const { status } = await fetch(`${proxy.url}/api/session`, { headers: { ...session } });
        if (status !== 200) refused.push(`read: ${status}`);
      }
    };
    const work = [0, 1, 2, 3].map(writer).concat(reader());
    // Replaces each server in turn at its port.
    for (const [at, old] of servers.entries()) {
      await sleep(1_000);
      old.child.kill('SIGTERM');
      await old.ended;
      const next = start({ ...env, PORT: new URL(origins[at] ?? '').port });
      await next.ready;
      await waitUntil(() => fetch(`${origins[at]}/readyz`).then(({ status }) => status === 200));
      await sleep(2_000); // until the proxy trusts it again
    }
    over = true;
    await Promise.all(work);
    expect(refused).toEqual([]);
    expect(sent.length).toBeGreaterThan(50);
    expect(await writtenReasons(database.url, 'news.title', `${name} `)).toEqual(sent.toSorted());
  });
});
