import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { postgresProcesses, postmaster, startServer, until, type ServerProcess } from './testing/process.ts';
import { inTier } from '../scripts/suite/tier.ts';
import { longTest } from '../scripts/suite/long-test.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'main-test-')));
const dataDir = join(folder, 'data');
const running: ServerProcess[] = [];

function start(env?: Record<string, string>): ServerProcess {
  const server = startServer(dataDir, { DEVNET: 'off', DEMO_NEWS: 'off', ...env });
  running.push(server);
  return server;
}

const lines = (server: ServerProcess) => server.output().trim().split('\n');

afterEach(async () => {
  for (const { child, ended } of running.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  await until(() => postgresProcesses(dataDir).length === 0);
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

  longTest('a balancer that speaks HTTP/1.0 and names no host is told that it is ready', async () => {
    const { port } = new URL(await start().ready);
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /readyz HTTP/1.0\r\n\r\n'));
      socket
        .on('data', (chunk) => (text += chunk))
        .on('end', () => resolve(text))
        .on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.\d 200 /);
  });

  longTest('a second server on the same data folder is refused in one line; the first goes on', async () => {
    const first = start();
    const origin = await first.ready;
    const second = start();
    expect(await second.ended).toEqual({ code: 1, signal: null });
    expect(lines(second)).toEqual([expect.stringMatching(/^The data folder \S+ is in use by another running server/)]);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  });

  longTest('a taken port is said in one line, and PostgreSQL does not stay behind', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => {
        const address = other.address();
        resolve(address && typeof address === 'object' ? address.port : 0);
      }),
    );
    const server = start({ PORT: String(port) });
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(lines(server)).toEqual([`Port ${port} is in use by another program. Stop that program or set PORT.`]);
    expect(postgresProcesses(dataDir)).toEqual([]);
    other.close();
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
  ])('%j is refused in one line without secrets', async (env, said) => {
    const server = start(env);
    expect(await server.ended).toEqual({ code: 1, signal: null });
    expect(lines(server)).toEqual([expect.stringMatching(said)]);
    expect(server.output()).not.toContain('secret');
  });
});

describe('stopping the server', () => {
  test.each(inTier(['SIGTERM'] as const, ['SIGINT', 'SIGTERM'] as const))(
    '%s stops everything that was started, and is a success',
    async (signal) => {
      const server = start();
      await server.ready;
      expect(postgresProcesses(dataDir).length).toBeGreaterThan(0);
      server.child.kill(signal);
      expect(await server.ended).toEqual({ code: 0, signal: null });
      expect(postgresProcesses(dataDir)).toEqual([]);
    },
  );

  longTest('a signal while it starts stops it too', async () => {
    const server = start();
    await until(() => postgresProcesses(dataDir).length > 0);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  longTest('it says first that it goes, and works on until a balancer has heard of it; a second signal means now', async () => {
    const server = start({ DRAIN_SECONDS: '300' });
    const origin = await server.ready;
    server.child.kill('SIGTERM');
    await until(async () => (await fetch(`${origin}/readyz`)).status === 503);
    const answer = await fetch(`${origin}/api/session`);
    expect([answer.status, answer.headers.get('connection')]).toEqual([401, 'close']);
    server.child.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 1, signal: null });
  });

  longTest('it stops when whoever drives it is gone', async () => {
    const server = start();
    await server.ready;
    server.child.disconnect();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });

  longTest('also one who is gone before it has begun', async () => {
    const server = start();
    server.child.disconnect();
    expect(await server.ended).toEqual({ code: 0, signal: null });
  });
});

longTest('with PostgreSQL killed underneath it says so, stays up, and is ready again', async () => {
  const server = start();
  const origin = await server.ready;
  const status = async () => (await fetch(`${origin}/readyz`)).status;
  const first = postmaster(dataDir);
  process.kill(first, 'SIGKILL');
  const seen = new Set<number>();
  await until(async () => {
    seen.add(await status());
    return server.output().includes('PostgreSQL is running again') && (await status()) === 200;
  });
  expect([...seen].filter((code) => code !== 200 && code !== 503)).toEqual([]);
  expect(server.child.exitCode).toBeNull();
  expect(postmaster(dataDir)).not.toBe(first);
});
