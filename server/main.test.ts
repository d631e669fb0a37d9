import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findPostgresProcesses, readPostmasterPid, startServer, waitUntil, type ServerProcess } from './testing/process.ts';
import { inTier } from '../scripts/suite/tier.ts';
import { longTest } from '../scripts/suite/long-test.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'main-test-')));
const dataDir = join(folder, 'data');
const runningServers: ServerProcess[] = [];

function start(env?: Record<string, string>): ServerProcess {
  const server = startServer(dataDir, { DEVNET: 'off', DEMO_NEWS: 'off', ...env });
  runningServers.push(server);
  return server;
}

const lines = (server: ServerProcess) => server.output().trim().split('\n');

afterEach(async () => {
  for (const { child, ended } of runningServers.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await waitUntil(() => findPostgresProcesses(dataDir).length === 0);
});

beforeAll(async () => {
  const server = start();
  await server.ready;
  server.child.kill('SIGTERM');
  await server.ended;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('starting the server', () => {
  test('prints its URL and accounts, and answers there, with its devnet', async () => {
    const server = start({ DEVNET: 'on' });
    const origin = await server.ready;
    expect(server.output()).toContain(origin.replace('127.0.0.1', 'localhost'));
    expect(server.output()).toMatch(/Demo accounts[\s\S]*admin@demo\.local/);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  longTest('reports ready to a balancer that speaks HTTP/1.0 without a host name', async () => {
    const { port } = new URL(await start().ready);
    const responseText = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /readyz HTTP/1.0\r\n\r\n'));
      socket
        .on('data', (chunk) => (text += chunk))
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    expect(responseText).toMatch(/^HTTP\/1\.\d 200 /);
  });

  longTest('refuses a second server on the same data folder in one line, while the first keeps running', async () => {
    const firstServer = start();
    const origin = await firstServer.ready;
    const secondServer = start();
    expect(await secondServer.ended).toEqual({ code: 1, signal: null });
    expect(lines(secondServer)).toEqual([expect.stringMatching(/^The data folder \S+ is in use by another running server/)]);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  longTest('reports a taken port in one line, and leaves no PostgreSQL behind', async () => {
    const otherServer = createServer();
    const port = await new Promise<number>((resolve) =>
      otherServer.listen(0, '127.0.0.1', () => {
        const address = otherServer.address();
        resolve(address && typeof address === 'object' ? address.port : 0);
      }),
    );
    const server = start({ PORT: String(port) });
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(lines(server)).toEqual([`Port ${port} is in use by another program. Stop that program or set PORT.`]);
    expect(findPostgresProcesses(dataDir)).toEqual([]);
    otherServer.close();
  });

  test.each([
    [{ PORT: 'ninety' }, /^PORT must be a whole number\.$/],
    [
      { DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/none' },
      /^Can’t connect to the database at 127\.0\.0\.1:1 \(ECONNREFUSED\)\. Start it or change DATABASE_URL\.$/,
    ],
    [
      { DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1,127.0.0.1:2/none?target_session_attrs=read-write' },
      /^Can’t connect to the database at 127\.0\.0\.1:1, 127\.0\.0\.1:2/,
    ],
    [{ DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1,127.0.0.1:2/none' }, /^DATABASE_URL must end in /],
    [{ HOST: '192.0.2.1' }, /^HOST is 192\.0\.2\.1, which isn’t an address of this machine/],
  ])('%j is refused in one line without secrets', async (env, expectedMessage) => {
    const server = start(env);
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(lines(server)).toEqual([expect.stringMatching(expectedMessage)]);
    expect(server.output()).not.toContain('secret');
  });
});

describe('stopping the server', () => {
  test.each(inTier(['SIGTERM'] as const, ['SIGINT', 'SIGTERM'] as const))(
    'ends everything it started on %s, with exit code 0',
    async (signal) => {
      const server = start();
      await server.ready;
      expect(findPostgresProcesses(dataDir).length).toBeGreaterThan(0);
      server.child.kill(signal);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(findPostgresProcesses(dataDir)).toEqual([]);
    },
  );

  longTest('also ends on a signal during the start', async () => {
    const server = start();
    await waitUntil(() => findPostgresProcesses(dataDir).length > 0);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(findPostgresProcesses(dataDir)).toEqual([]);
  });

  longTest('reports not ready first, works until a balancer has noticed, and stops on a second signal', async () => {
    const server = start({ DRAIN_SECONDS: '300' });
    const origin = await server.ready;
    server.child.kill('SIGTERM');
    await waitUntil(async () => (await fetch(`${origin}/readyz`)).status === 503);
    const response = await fetch(`${origin}/api/session`);
    expect([response.status, response.headers.get('connection')]).toEqual([401, 'close']);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 1, signal: null });
  });

  longTest('happens when its parent process has ended', async () => {
    const server = start();
    await server.ready;
    server.child.disconnect();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  longTest('happens when its parent ended before the start', async () => {
    const server = start();
    server.child.disconnect();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});

longTest('is avoided when PostgreSQL is killed: it reports the outage and becomes ready again', async () => {
  const server = start();
  const origin = await server.ready;
  const status = async () => (await fetch(`${origin}/readyz`)).status;
  const firstPid = readPostmasterPid(dataDir);
  process.kill(firstPid, 'SIGKILL');
  const observedPids = new Set<number>();
  await waitUntil(async () => {
    observedPids.add(await status());
    return server.output().includes('PostgreSQL is running again') && (await status()) === 200;
  });
  expect([...observedPids].filter((code) => code !== 200 && code !== 503)).toEqual([]);
  expect(server.child.exitCode).toBeNull();
  expect(readPostmasterPid(dataDir)).not.toBe(firstPid);
});
