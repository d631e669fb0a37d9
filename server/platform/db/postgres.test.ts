import { execFileSync, fork, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bundleOf } from '../../../scripts/setup.mjs';
import { inTier } from '../../../scripts/suite/tier.ts';
import { startPostgres } from './postgres.ts';
import { postgresProcesses, postmasterPid, waitUntil } from '../../testing/process.ts';
import { longTest } from '../../../scripts/suite/long-test.ts';

const folders: string[] = [];
const children: ChildProcess[] = [];

const newFolder = () => realpathSync(mkdtempSync(join(tmpdir(), 'postgres-test-')));

function temporaryFolder(): string {
  const folder = newFolder();
  folders.push(folder);
  return folder;
}

/** initdb takes most of a test's time. */
const made = newFolder();
beforeAll(async () => {
  const { stop } = await startPostgres({ dataDir: made, durable: false });
  await stop();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

function madeFolder(): string {
  const folder = temporaryFolder();
  execFileSync('cp', ['-a', `${made}/.`, folder]); // keeps the owner, which may be another user
  return folder;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
  }
  for (const folder of folders.splice(0)) {
    await waitUntil(() => postgresProcesses(folder).length === 0);
    rmSync(folder, { recursive: true, force: true });
  }
});

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function startChild(folder: string): Promise<{ child: ChildProcess; url: string }> {
  const child = fork(bundleOf('test-postgres'), { execArgv: [], env: { ...process.env, DATA_DIR: folder } });
  children.push(child);
  const [url] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
  if (typeof url !== 'string') throw new Error('the child said nothing');
  return { child, url };
}

const ended = (child: ChildProcess) =>
  new Promise((resolve) => ((child.exitCode ?? child.signalCode) === null ? child.once('exit', resolve) : resolve(null)));

longTest('keeps data over a restart, with fsync and checksums', async () => {
  const folder = temporaryFolder();
  const first = await startPostgres({ dataDir: folder });
  await query(first.url, 'create table kept (value text)');
  await query(first.url, "insert into kept values ('比特币')");
  expect(
    await query(first.url, 'select current_setting($$fsync$$) as fsync, current_setting($$data_checksums$$) as sums'),
  ).toEqual([{ fsync: 'on', sums: 'on' }]);
  await first.stop();
  expect(postgresProcesses(folder)).toEqual([]);
  const second = await startPostgres({ dataDir: folder, durable: false });
  expect(await query(second.url, 'select value from kept')).toEqual([{ value: '比特币' }]);
  expect(await query(second.url, 'select current_setting($$fsync$$) as fsync')).toEqual([{ fsync: 'off' }]);
  await second.stop();
});

test('searches Chinese by trigram and ignores the case of letters beyond ASCII', async () => {
  const { url, stop } = await startPostgres({ dataDir: madeFolder(), durable: false });
  await query(url, 'create extension pg_trgm');
  const [row] = await query(url, "select cardinality(show_trgm('比特币')) > 0 as chinese, 'ÄRGER' ilike 'ärger' as folded");
  expect(row).toEqual({ chinese: true, folded: true });
  await stop();
});

test('requires the password, which only the owner can read', async () => {
  const folder = madeFolder();
  const { url, stop } = await startPostgres({ dataDir: folder, durable: false });
  const wrong = new URL(url);
  wrong.password = 'guess';
  await expect(query(wrong.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  expect(statSync(join(folder, 'postgres.secret')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700);
  await stop();
});

test('refuses a second instance on the same folder in one line, without disturbing the first', async () => {
  const folder = madeFolder();
  const first = await startPostgres({ dataDir: folder, durable: false });
  await expect(startPostgres({ dataDir: folder })).rejects.toThrow(
    /^The data folder \S+ is in use by another running server[^\n]*$/,
  );
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await first.stop();
});

test('refuses a folder that another process holds', async () => {
  const folder = madeFolder();
  await startChild(folder);
  await expect(startPostgres({ dataDir: folder })).rejects.toThrow(/in use by another running server/);
});

test('stops PostgreSQL when Node is killed, and keeps acknowledged writes', async () => {
  const folder = madeFolder();
  for (let round = 0; round < inTier(1, 3); round++) {
    const { child, url } = await startChild(folder);
    await query(url, 'create table if not exists rounds (round int)');
    await query(url, `insert into rounds values (${round})`);
    child.kill('SIGKILL');
    await ended(child);
    const next = await startPostgres({ dataDir: folder });
    expect(await query(next.url, 'select count(*)::int as n from rounds')).toEqual([{ n: round + 1 }]);
    await next.stop();
    expect(postgresProcesses(folder)).toEqual([]);
  }
});

test('leaves no PostgreSQL process when Node is killed and not restarted', async () => {
  const folder = madeFolder();
  const { child } = await startChild(folder);
  expect(postgresProcesses(folder).length).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await waitUntil(() => postgresProcesses(folder).length === 0);
});

longTest('restarts PostgreSQL at the same address when it is killed', async () => {
  const folder = madeFolder();
  const reported: string[] = [];
  const { url, stop } = await startPostgres({ dataDir: folder, log: (message) => reported.push(message) });
  await query(url, 'create table kept as select 1 as one');
  const first = postmasterPid(folder);
  process.kill(first, 'SIGKILL');
  await waitUntil(() => reported.includes('PostgreSQL is running again'));
  expect(postmasterPid(folder)).not.toBe(first);
  expect(await query(url, 'select one from kept')).toEqual([{ one: 1 }]);
  await stop();
  expect(postgresProcesses(folder)).toEqual([]);
});

longTest('stops during a restart of PostgreSQL and leaves no process', async () => {
  const folder = madeFolder();
  const reported: string[] = [];
  const { stop } = await startPostgres({ dataDir: folder, durable: false, log: (message) => reported.push(message) });
  process.kill(postmasterPid(folder), 'SIGKILL');
  await waitUntil(() => reported.length > 0);
  await stop();
  expect(reported).toEqual(['PostgreSQL stopped unexpectedly, restarting it']);
  expect(postgresProcesses(folder)).toEqual([]);
});

longTest('starts after being killed during the creation of the data folder', async () => {
  const folder = madeFolder();
  // Left by a killed initdb.
  rmSync(join(folder, 'postgres', 'base'), { recursive: true });
  spawnSync('mv', [join(folder, 'postgres'), join(folder, 'postgres.part')]);
  const again = await startPostgres({ dataDir: folder, durable: false });
  expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await again.stop();
  expect(existsSync(join(folder, 'postgres.part'))).toBe(false);
});

test('ignores a pid file whose number belongs to another program', async () => {
  const folder = madeFolder();
  writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(folder, 'postgres')}\n1\n1\n\n\n`);
  const again = await startPostgres({ dataDir: folder, durable: false });
  expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await again.stop();
});

longTest('works in a folder that only its owner can enter', async () => {
  const outer = temporaryFolder();
  chmodSync(outer, 0o700);
  const { url, stop } = await startPostgres({ dataDir: join(outer, 'inner'), durable: false });
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  folders.push(join(outer, 'inner'));
  await stop();
});
