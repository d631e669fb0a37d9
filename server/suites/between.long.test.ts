import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { requireProgram } from '../../scripts/suite/debian.mjs';
import { addNews, signInAt, readWrittenTexts } from '../testing/callers.ts';
import { startPgbouncer } from '../testing/pgbouncer.ts';
import { startServer, waitUntil, type ServerProcess } from '../testing/process.ts';
import { startHaproxy, startNginx, type Proxy } from '../testing/proxies.ts';
import { createTestDatabase } from '../testing/support.ts';

// Real proxies and poolers, between the panel and its database and between it and its users.

const folder = mkdtempSync(join(tmpdir(), 'between-'));
const cleanups: (() => Promise<unknown>)[] = [];

// Installed here, because tests have a time limit.
beforeAll(async () => {
  for (const programName of ['pgbouncer', 'nginx', 'haproxy']) await requireProgram(programName);
}, 300_000);
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function startPanel(env: Record<string, string>): ServerProcess {
  const server = startServer(join(folder, 'data'), { DEVNET: 'off', WRITES_PER_MINUTE: '0', READS_PER_MINUTE: '0', ...env });
  cleanups.push(async () => {
    server.child.kill('SIGTERM');
    await server.ended;
  });
  return server;
}

describe('pgbouncer in transaction mode', () => {
  test('carries writes, reads and an export, with timeouts', { timeout: 120_000 }, async () => {
    const database = await createTestDatabase();
    const pooler = await startPgbouncer(database.url);
    cleanups.push(pooler.stop);
    const server = startPanel({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url });
    const origin = await server.ready;
    const session = await signInAt(origin, 'editor');
    const sentTitles: string[] = [];
    const responseStatuses: number[] = [];
    for (let roundNumber = 0; roundNumber < 8; roundNumber++) {
      const titles = Array.from({ length: 8 }, (_, index) => `pooled ${roundNumber}-${index}`);
      sentTitles.push(...titles);
      const pendingWrites = titles.map((title) => addNews(origin, session, title));
      const pendingReads = titles.map(() => fetch(`${origin}/api/session`, { headers: { ...session } }));
      responseStatuses.push(...(await Promise.all([...pendingWrites, ...pendingReads])).map(({ status }) => status));
    }
    expect([...new Set(responseStatuses)]).toEqual([200]);
    expect(await readWrittenTexts(database.url, 'news.title', 'pooled ')).toEqual(sentTitles.toSorted());
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
    const database = await createTestDatabase();
    const pooler = await startPgbouncer(database.url, settings);
    cleanups.push(pooler.stop);
    const server = startPanel({ DATABASE_URL: pooler.url });
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(server.output().trim().split('\n')).toEqual([expect.stringMatching(line)]);
  });
});

describe.each<[string, (origins: readonly string[]) => Promise<Proxy>]>([
  ['nginx', startNginx],
  ['haproxy', startHaproxy],
])('a rolling update behind %s', (name, startProxy) => {
  test('a rolling restart behind proxies shows no error to writers and a reader', { timeout: 180_000 }, async () => {
    const database = await createTestDatabase();
    const env = { DATABASE_URL: database.url, DRAIN_SECONDS: '3' };
    const servers = [startPanel(env), startPanel(env)];
    const origins = await Promise.all(servers.map(({ ready }) => ready));
    const proxy = await startProxy(origins);
    cleanups.push(proxy.stop);
    const session = await signInAt(proxy.url, 'editor');
    const sentTitles: string[] = [];
    const refusedTitles: string[] = [];
    let isStopped = false;
    const runWriter = async (writerIndex: number) => {
      for (let stepNumber = 0; !isStopped; stepNumber++) {
        const title = `${name} ${writerIndex}-${stepNumber}`;
        const status = await addNews(proxy.url, session, title).then(
          (response) => response.status,
          (error: unknown) => String(error),
        );
        if (status === 200) sentTitles.push(title);
        else refusedTitles.push(`${title}: ${status}`);
        await sleep(10);
      }
    };
    const runReader = async () => {
      for (; !isStopped; await sleep(10)) {
        const { status } = await fetch(`${proxy.url}/api/session`, { headers: { ...session } });
        if (status !== 200) refusedTitles.push(`read: ${status}`);
      }
    };
    const pendingWork = [0, 1, 2, 3].map(runWriter).concat(runReader());
    // Replaces each server in turn at its port.
    for (const [serverIndex, oldServer] of servers.entries()) {
      await sleep(1_000);
      oldServer.child.kill('SIGTERM');
      await oldServer.ended;
      const newServer = startPanel({ ...env, PORT: new URL(origins[serverIndex] ?? '').port });
      await newServer.ready;
      await waitUntil(() => fetch(`${origins[serverIndex]}/readyz`).then(({ status }) => status === 200));
      await sleep(2_000); // until the proxy trusts it again
    }
    isStopped = true;
    await Promise.all(pendingWork);
    expect(refusedTitles).toEqual([]);
    expect(sentTitles.length).toBeGreaterThan(50);
    expect(await readWrittenTexts(database.url, 'news.title', `${name} `)).toEqual(sentTitles.toSorted());
  });
});
