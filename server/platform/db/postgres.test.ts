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
import { findPostgresProcesses, readPostmasterPid, waitUntil } from '../../testing/process.ts';
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
const newDataDir = newFolder();
beforeAll(async () => {
  const { stop: stopServer } = await startPostgres({ dataDir: newDataDir, durable: false });
  await stopServer();
});
afterAll(() => rmSync(newDataDir, { recursive: true, force: true }));

function newClusterFolder(): string {
  const folder = temporaryFolder();
  execFileSync('cp', ['-a', `${newDataDir}/.`, folder]); // keeps the owner, which may be another user
  return folder;
}

afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGKILL');
  }
  for (const folder of folders.splice(0)) {
    await waitUntil(() => findPostgresProcesses(folder).length === 0);
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

const waitForExit = (child: ChildProcess) =>
  new Promise((resolve) => ((child.exitCode ?? child.signalCode) === null ? child.once('exit', resolve) : resolve(null)));

longTest('keeps data over a restart, with fsync and checksums', async () => {
  const folder = temporaryFolder();
  const firstServer = await startPostgres({ dataDir: folder });
  await query(firstServer.url, 'create table kept (value text)');
  await query(firstServer.url, "insert into kept values ('比特币')");
  expect(
    await query(firstServer.url, 'select current_setting($$fsync$$) as fsync, current_setting($$data_checksums$$) as sums'),
  ).toEqual([{ fsync: 'on', sums: 'on' }]);
  await firstServer.stop();
  expect(findPostgresProcesses(folder)).toEqual([]);
  const second = await startPostgres({ dataDir: folder, durable: false });
  expect(await query(second.url, 'select value from kept')).toEqual([{ value: '比特币' }]);
  expect(await query(second.url, 'select current_setting($$fsync$$) as fsync')).toEqual([{ fsync: 'off' }]);
  await second.stop();
});

test('searches Chinese by trigram and ignores the case of letters beyond ASCII', async () => {
  const { url, stop: stopServer } = await startPostgres({ dataDir: newClusterFolder(), durable: false });
  await query(url, 'create extension pg_trgm');
  const [row] = await query(url, "select cardinality(show_trgm('比特币')) > 0 as chinese, 'ÄRGER' ilike 'ärger' as folded");
  expect(row).toEqual({ chinese: true, folded: true });
  await stopServer();
});

test('requires the password, which only the owner can read', async () => {
  const folder = newClusterFolder();
  const { url, stop: stopServer } = await startPostgres({ dataDir: folder, durable: false });
  const wrongUrl = new URL(url);
  wrongUrl.password = 'guess';
  await expect(query(wrongUrl.href, 'select 1')).rejects.toThrow(/password authentication failed/);
  expect(statSync(join(folder, 'postgres.secret')).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'postgres')).mode & 0o777).toBe(0o700);
  await stopServer();
});

test('refuses a second instance on the same folder in one line, without disturbing the first', async () => {
  const folder = newClusterFolder();
  const firstServer = await startPostgres({ dataDir: folder, durable: false });
  await expect(startPostgres({ dataDir: folder })).rejects.toThrow(
    /^The data folder \S+ is in use by another running server[^\n]*$/,
  );
  expect(await query(firstServer.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await firstServer.stop();
});

test('refuses a folder that another process holds', async () => {
  const folder = newClusterFolder();
  await startChild(folder);
  await expect(startPostgres({ dataDir: folder })).rejects.toThrow(/in use by another running server/);
});

test('stops PostgreSQL when Node is killed, and keeps acknowledged writes', async () => {
  const folder = newClusterFolder();
  for (let roundNumber = 0; roundNumber < inTier(1, 3); roundNumber++) {
    const { child, url } = await startChild(folder);
    await query(url, 'create table if not exists rounds (round int)');
    await query(url, `insert into rounds values (${roundNumber})`);
    child.kill('SIGKILL');
    await waitForExit(child);
    const nextServer = await startPostgres({ dataDir: folder });
    expect(await query(nextServer.url, 'select count(*)::int as n from rounds')).toEqual([{ n: roundNumber + 1 }]);
    await nextServer.stop();
    expect(findPostgresProcesses(folder)).toEqual([]);
  }
});

test('leaves no PostgreSQL process when Node is killed and not restarted', async () => {
  const folder = newClusterFolder();
  const { child } = await startChild(folder);
  expect(findPostgresProcesses(folder).length).toBeGreaterThan(0);
  child.kill('SIGKILL');
  await waitUntil(() => findPostgresProcesses(folder).length === 0);
});

longTest('restarts PostgreSQL at the same address when it is killed', async () => {
  const folder = newClusterFolder();
  const logMessages: string[] = [];
  const { url, stop: stopServer } = await startPostgres({ dataDir: folder, log: (message) => logMessages.push(message) });
  await query(url, 'create table kept as select 1 as one');
  const firstPid = readPostmasterPid(folder);
  process.kill(firstPid, 'SIGKILL');
  await waitUntil(() => logMessages.includes('PostgreSQL is running again'));
  expect(readPostmasterPid(folder)).not.toBe(firstPid);
  expect(await query(url, 'select one from kept')).toEqual([{ one: 1 }]);
  await stopServer();
  expect(findPostgresProcesses(folder)).toEqual([]);
});

longTest('stops during a restart of PostgreSQL and leaves no process', async () => {
  const folder = newClusterFolder();
  const logMessages: string[] = [];
  const { stop: stopServer } = await startPostgres({
    dataDir: folder,
    durable: false,
    log: (message) => logMessages.push(message),
  });
  process.kill(readPostmasterPid(folder), 'SIGKILL');
  await waitUntil(() => logMessages.length > 0);
  await stopServer();
  expect(logMessages).toEqual(['PostgreSQL stopped unexpectedly, restarting it']);
  expect(findPostgresProcesses(folder)).toEqual([]);
});

longTest('starts after being killed during the creation of the data folder', async () => {
  const folder = newClusterFolder();
  // Left by a killed initdb.
  rmSync(join(folder, 'postgres', 'base'), { recursive: true });
  spawnSync('mv', [join(folder, 'postgres'), join(folder, 'postgres.part')]);
  const restartedServer = await startPostgres({ dataDir: folder, durable: false });
  expect(await query(restartedServer.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await restartedServer.stop();
  expect(existsSync(join(folder, 'postgres.part'))).toBe(false);
});

test('ignores a pid file whose number belongs to another program', async () => {
  const folder = newClusterFolder();
  writeFileSync(join(folder, 'postgres', 'postmaster.pid'), `${process.pid}\n${join(folder, 'postgres')}\n1\n1\n\n\n`);
  const restartedServer = await startPostgres({ dataDir: folder, durable: false });
  expect(await query(restartedServer.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await restartedServer.stop();
});

longTest('works in a folder that only its owner can enter', async () => {
  const outerFolder = temporaryFolder();
  chmodSync(outerFolder, 0o700);
  const { url, stop: stopServer } = await startPostgres({ dataDir: join(outerFolder, 'inner'), durable: false });
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  folders.push(join(outerFolder, 'inner'));
  await stopServer();
});
