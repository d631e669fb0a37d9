import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { bundleOf } from '../../scripts/setup.mjs';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { copyDatabase, dropDatabase, runOnServer, replaceDatabase } from '../testing/run-postgres.ts';
import { templateDatabase } from '../testing/setup.ts';
import { createTestDatabase } from '../testing/support.ts';
import { readBackup, writeManifest, type Manifest } from './manifest.ts';
import { programEnvironment, refuseNewerProgram } from './postgres-programs.ts';

const expectedConnection = { host: 'db.example', port: 6000, user: 'u', database: 'panel', password: 'p ä' };

test('PostgreSQL’s programs get the password through their environment, and no secret of the panel', () => {
  const ownEnvironment = {
    PATH: '/bin',
    HOME: '/root',
    SECRET_KEY: 'secret',
    DATABASE_URL: 'postgres://…',
    PGSSLCRL: '/crl',
    PGSSLMODE: 'disable',
    PGSERVICE: 'other',
  };
  expect(
    programEnvironment(expectedConnection, 'postgres://u@h/panel?sslmode=verify-full&sslrootcert=/ca.pem', ownEnvironment),
  ).toEqual({
    PATH: '/bin',
    HOME: '/root',
    PGSSLCRL: '/crl',
    PGHOST: 'db.example',
    PGPORT: '6000',
    PGUSER: 'u',
    PGDATABASE: 'panel',
    PGPASSWORD: 'p ä',
    PGSSLMODE: 'verify-full',
    PGSSLROOTCERT: '/ca.pem',
    LC_ALL: 'C',
  });
});

test.each([
  ['sslmode=require', 'verify-full'],
  ['sslmode=require&uselibpqcompat=true', 'require'],
  ['sslmode=no-verify', 'require'],
  ['sslmode=disable', 'disable'],
  ['', undefined],
])('PostgreSQL’s programs verify certificates as the panel does with "%s"', (query, mode) => {
  expect(programEnvironment(expectedConnection, `postgres://u@h/panel?${query}`, {})['PGSSLMODE']).toBe(mode);
});

test('a script of pg_restore 17 is refused only for an older server', () => {
  expect(() => refuseNewerProgram('pg_restore', 18, 15)).toThrow('Put the PostgreSQL 15 client first on the PATH.');
  for (const [programName, server] of [
    [15, 14],
    [18, 17],
    [15, 18],
  ] as const)
    expect(() => refuseNewerProgram('pg_restore', programName, server)).not.toThrow();
});

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function createFakeBackup(overrides: Partial<Manifest> = {}): string {
  const folder = createTemporaryFolder();
  mkdirSync(join(folder, 'pictures'));
  writeFileSync(join(folder, 'database.dump'), 'dump');
  writeManifest(folder, {
    version: '1.0.0',
    build: null,
    time: '2026-01-02T03:04:05.678Z',
    database: 'panel',
    postgres: { server: 15, dump: 15 },
    migrations: [],
    rows: { audit: 1, authority: 0, pictures: 0 },
    heads: 0,
    missingPictures: [],
    files: { 'database.dump': { bytes: 4, sha256: sha256('dump') } },
    ...overrides,
  });
  return folder;
}

test('reads a complete backup as it was written', async () => {
  expect(await readBackup(createFakeBackup())).toMatchObject({ format: 1, files: { 'database.dump': { bytes: 4 } } });
});

test.each([
  [
    'a changed dump',
    () => createFakeBackup({ files: { 'database.dump': { bytes: 4, sha256: sha256('other') } } }),
    /database\.dump in .* has changed/,
  ],
  [
    'a missing picture',
    () => createFakeBackup({ files: { ...fileEntries('pictures/00000000-0000-4000-8000-000000000001.webp') } }),
    /webp is missing in/,
  ],
  ['no dump', () => createFakeBackup({ files: {} }), /doesn’t list database\.dump/],
  [
    'a file outside the folder',
    () => createFakeBackup({ files: fileEntries('../../etc/passwd') }),
    /manifest\.json in .* can’t be read/,
  ],
  ['no manifest', () => createTemporaryFolder(), /has no manifest\.json, so it isn’t a complete backup/],
  ['a folder that is not there', () => join(createTemporaryFolder(), 'nowhere'), /doesn’t exist\. Check the path/],
  ['a later format', () => createNewerBackup(), /was written by a newer version/],
])('a backup with %s is refused', async (_name, createBackup, expected) => {
  await expect(readBackup(createBackup())).rejects.toThrow(expected);
});

const fileEntries = (name: string) => ({
  'database.dump': { bytes: 4, sha256: sha256('dump') },
  [name]: { bytes: 1, sha256: sha256('x') },
});

function createNewerBackup(): string {
  const folder = createTemporaryFolder();
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ format: 2 }));
  return folder;
}

/** With these programs on the PATH: name → printed text. */
function run(command: 'backup' | 'restore', folder: string, url: string, fakePrograms: Readonly<Record<string, string>> = {}) {
  const binFolder = createTemporaryFolder();
  for (const [name, script] of Object.entries(fakePrograms))
    writeFileSync(join(binFolder, name), `#!/bin/sh\necho '${script}'\n`, { mode: 0o755 });
  const dataDir = createTemporaryFolder();
  const { status, stderr } = spawnSync(process.execPath, [bundleOf(command), folder], {
    env: { PATH: binFolder, DATABASE_URL: url, DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  return { status, stderr: stderr.trim(), written: readdirSync(dataDir) };
}

test.each([
  ['missing', {}, /^pg_dump isn’t installed\. Install the PostgreSQL 18 client \(Debian: postgresql-client-18\)/],
  [
    'too old',
    { pg_dump: 'pg_dump (PostgreSQL) 15.18 (Debian)' },
    /^pg_dump on the PATH is version 15, which is too old for this\. Install the PostgreSQL 18 client/,
  ],
])('a backup says in one line that pg_dump is %s, and makes no folder', async (_name, fakePrograms, expected) => {
  const { url } = await createTestDatabase();
  const targetFolder = join(createTemporaryFolder(), 'backup');
  expect(run('backup', targetFolder, url, fakePrograms)).toMatchObject({ status: 1, stderr: expect.stringMatching(expected) });
  expect(readdirSync(join(targetFolder, '..'))).toEqual([]);
});

const newDatabaseName = () => `restore_${randomUUID().replaceAll('-', '')}`;

test('refuses a restore while a panel is connected, or if the database has content', async () => {
  const name = newDatabaseName();
  const url = await copyDatabase(inject('postgresUrl'), templateDatabase, name);
  onCleanup(() => dropDatabase(inject('postgresUrl'), name));
  const panelClient = new pg.Client({ connectionString: url, application_name: 'admin-panel' });
  await panelClient.connect();
  const refusalResult = (line: RegExp) => ({ status: 1, stderr: expect.stringMatching(line), written: [] });
  expect(run('restore', createFakeBackup(), url)).toEqual(
    refusalResult(/^A panel uses the database .*: admin-panel \(connections: 1\)\. Stop every/),
  );
  await panelClient.end();
  expect(run('restore', createFakeBackup(), url)).toEqual(
    refusalResult(/isn’t empty \(.*\)\. Create an empty database, set DATABASE_URL to it/),
  );
});

test('refuses a restore into an older PostgreSQL', async () => {
  const name = newDatabaseName();
  onCleanup(() => dropDatabase(inject('postgresUrl'), name));
  await runOnServer(inject('postgresUrl'), `create database ${name}`);
  const backupFolder = createFakeBackup({ postgres: { server: 99, dump: 99 } });
  expect(run('restore', backupFolder, replaceDatabase(inject('postgresUrl'), name)).stderr).toMatch(
    /^The backup is from PostgreSQL 99.*Restore into PostgreSQL 99 or newer\.$/,
  );
});
