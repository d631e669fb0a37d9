import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { serverBundle } from '../scripts/setup.mjs';
import { newId } from './platform/core/ids.ts';
import { onCleanup, createTemporaryFolder } from './testing/cleanup.ts';
import { runOnServer, replaceDatabase } from './testing/run-postgres.ts';
import { createTestDatabase } from './testing/support.ts';

// A failed start prints one line with the cause and the next step, and exits with code 1.

type Environment = Record<string, string>;

const productionEnv: Environment = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://panel.example.com',
  SECRET_KEY: 'a secret key that is long enough to be one',
  NEW_BROWSER_CODE: 'off',
  DEVNET: 'off',
};

function start(env: Environment): { status: number | null; stderr: string } {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [serverBundle], {
    env: { ...inherited, LOG_LEVEL: 'silent', PORT: '0', DATA_DIR: createTemporaryFolder(), ...productionEnv, ...env },
    encoding: 'utf8',
    timeout: 120_000,
  });
  return { status, stderr };
}

async function occupyPort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onCleanup(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return String((server.address() as AddressInfo).port);
}

async function createEmptyDatabase(options = ''): Promise<string> {
  const name = `fault_${newId().replaceAll('-', '')}`;
  await runOnServer(inject('postgresUrl'), `create database ${name} ${options}`);
  onCleanup(() => runOnServer(inject('postgresUrl'), `drop database ${name} with (force)`));
  return replaceDatabase(inject('postgresUrl'), name);
}

const changeUrl = (url: string, changeParts: (urlParts: URL) => void): string => {
  const urlParts = new URL(url);
  changeParts(urlParts);
  return urlParts.href;
};

async function databaseAfterSql(statement: string): Promise<string> {
  const { url, pool } = await createTestDatabase();
  await pool.query(statement);
  return url;
}

function file(text: string): string {
  const path = join(createTemporaryFolder(), 'file');
  writeFileSync(path, text);
  return path;
}

const faultCases: readonly (readonly [string, () => Promise<Environment> | Environment, RegExp])[] = [
  ['DATABASE_URL is no URL', () => ({ DATABASE_URL: 'localhost' }), /^DATABASE_URL must be a postgres:\/\/ URL\.?$/],
  [
    'nothing listens at the database’s address',
    () => ({ DATABASE_URL: 'postgres://panel@127.0.0.1:1/panel' }),
    /^Can’t connect to the database at 127\.0\.0\.1:1 \(ECONNREFUSED\)\. Start it or change DATABASE_URL\.$/,
  ],
  [
    'the database’s host has no address',
    () => ({ DATABASE_URL: 'postgres://panel@no-such-host.invalid/panel' }),
    /^Can’t connect to the database at no-such-host\.invalid:5432 \(E(NOTFOUND|AI_AGAIN)\)\. Start it or change DATABASE_URL\.$/,
  ],
  [
    'the password is wrong',
    () => ({ DATABASE_URL: changeUrl(inject('postgresUrl'), (url) => (url.password = 'wrong')) }),
    /^The database at 127\.0\.0\.1:\d+ rejected the user or password\. Check DATABASE_URL\.$/,
  ],
  [
    'the database does not exist',
    () => ({ DATABASE_URL: replaceDatabase(inject('postgresUrl'), 'no_such_database') }),
    /^The database "no_such_database" doesn’t exist at 127\.0\.0\.1:\d+\. Create it or change DATABASE_URL\.$/,
  ],
  [
    'the database cannot hold Chinese',
    async () => ({ DATABASE_URL: await createEmptyDatabase(`encoding 'SQL_ASCII' locale 'C' template template0`) }),
    /uses the encoding SQL_ASCII, but the panel needs UTF8\. Create it with: CREATE DATABASE/,
  ],
  [
    'the database is of a development version',
    async () => ({
      DATABASE_URL: await databaseAfterSql(
        'drop schema schema_history cascade; create schema drizzle; create table drizzle.__drizzle_migrations (id int)',
      ),
    }),
    /^This database was created by a development version before 1\.0\.0.*The database was not changed\./,
  ],
  [
    'a newer version has upgraded the database',
    async () => ({
      DATABASE_URL: await databaseAfterSql(
        `insert into schema_history.migrations (number, name, hash, version, oldest_version) values (9999, '9999_x', 'x', '9.0.0', '9.0.0')`,
      ),
    }),
    /^This database was upgraded by version 9\.0\.0, and this is version \d+\.\d+\.\d+\. Start version 9\.0\.0 or newer/,
  ],
  [
    'another build applied the migrations',
    async () => ({ DATABASE_URL: await databaseAfterSql(`update schema_history.migrations set hash = 'x' where number = 0`) }),
    /^Migration 0000_schema was applied to this database by version .* The database was not changed\./,
  ],
  [
    'the user may not create tables',
    async () => {
      const url = await createEmptyDatabase();
      const role = `fault_${newId().replaceAll('-', '')}`;
      await runOnServer(inject('postgresUrl'), `create role ${role} login password 'p'`);
      onCleanup(() => runOnServer(inject('postgresUrl'), `drop role ${role}`));
      return { DATABASE_URL: changeUrl(url, (urlParts) => Object.assign(urlParts, { username: role, password: 'p' })) };
    },
    /^The database user in DATABASE_URL isn’t allowed to change the tables\. Run migrate once, with the URL of the tables’ owner/,
  ],
  [
    'the database has no TLS',
    () => ({ DATABASE_URL: `${inject('postgresUrl')}?sslmode=verify-full` }),
    /^The database at 127\.0\.0\.1:\d+ doesn’t support TLS\. Turn TLS on there or change sslmode in DATABASE_URL\.$/,
  ],
  [
    'the file of the root certificate is missing',
    () => ({ DATABASE_URL: `${inject('postgresUrl')}?sslmode=verify-full&sslrootcert=/no/such/root.pem` }),
    /\/no\/such\/root\.pem \(ENOENT\)\. Check the path\.$/,
  ],
  [
    'the data folder is a file',
    () => ({ DATABASE_URL: inject('postgresUrl'), DATA_DIR: file('x') }),
    /^Can’t .*\((EEXIST|ENOTDIR)\)/,
  ],
  [
    'the port is taken',
    async () => ({ DATABASE_URL: await createEmptyDatabase(), PORT: await occupyPort() }),
    /^Port \d+ is (already )?(taken|in use)/,
  ],
  [
    'the port of the metrics is taken',
    async () => ({ DATABASE_URL: await createEmptyDatabase(), METRICS_PORT: await occupyPort() }),
    /METRICS_PORT/,
  ],
  ['the address is of another machine', () => ({ DATABASE_URL: inject('postgresUrl'), HOST: '203.0.113.1' }), /HOST/],
  [
    'SECRET_KEY is missing',
    () => ({ DATABASE_URL: inject('postgresUrl'), SECRET_KEY: '' }),
    /^SECRET_KEY is required in production/,
  ],
  ['SECRET_KEY is short', () => ({ SECRET_KEY: 'short' }), /^SECRET_KEY must be at least 32 bytes long/],
  [
    'the file of a secret is missing',
    () => ({ SECRET_KEY: '', SECRET_KEY_FILE: '/no/such/key' }),
    /^SECRET_KEY_FILE names a file that can’t be read or is empty/,
  ],
  [
    'AUDIT_KEY_FILE holds no key',
    async () => ({ DATABASE_URL: await createEmptyDatabase(), AUDIT_KEY_FILE: file('nothing') }),
    /contains no Ed25519 private key \(AUDIT_KEY_FILE\)\. Create one with: openssl genpkey/,
  ],
  [
    'COUNTRY_DATABASE is no such database',
    async () => ({ DATABASE_URL: await createEmptyDatabase(), COUNTRY_DATABASE: file('nothing') }),
    /^COUNTRY_DATABASE names .* which isn’t a MaxMind database/,
  ],
  [
    'the file of the genesis is missing',
    async () => ({
      DATABASE_URL: await createEmptyDatabase(),
      AUTHORITY_GENESIS: '0'.repeat(64),
      AUTHORITY_GENESIS_FILE: '/no/such/genesis.line',
    }),
    /^Can’t open \/no\/such\/genesis\.line \(ENOENT\)\. Check the path\.$/,
  ],
  [
    'mail would go out in plaintext',
    () => ({ SMTP_URL: 'smtp://mail.example.com' }),
    /^SMTP_URL must start with smtps:\/\/ in production/,
  ],
  [
    'half of an object storage is named',
    () => ({ S3_ENDPOINT: 'https://s3.example.com' }),
    /^S3_\w+ is required when S3_ENDPOINT is set/,
  ],
];

test.each(faultCases)('the start fails with the reason when %s', { timeout: 180_000 }, async (_, createEnv, message) => {
  const { status, stderr } = start(await createEnv());
  expect(stderr.trim()).toMatch(message);
  expect({ status, lines: stderr.trim().split('\n').length }).toEqual({ status: 1, lines: 1 });
  expect(stderr).not.toMatch(/delete|remove the/i);
});

test('doctor reports the same causes without starting', { timeout: 180_000 }, async () => {
  const url = await createEmptyDatabase();
  const dataDir = createTemporaryFolder();
  mkdirSync(dataDir, { recursive: true });
  const runDoctor = (env: Environment) =>
    spawnSync(process.execPath, [serverBundle.replace('main.js', 'doctor.js')], {
      env: { ...productionEnv, DATA_DIR: dataDir, ...env },
      encoding: 'utf8',
    });
  const healthyReport = runDoctor({ DATABASE_URL: url });
  expect(healthyReport.stdout).toMatch(/^ok\s+Schema\s+The database is empty\. The next start creates the tables\.$/m);
  expect(healthyReport.stdout).toMatch(/^ok\s+Clock\s+/m);
  expect([healthyReport.status, healthyReport.stdout.trim().split('\n').at(-1)]).toEqual([0, 'The panel can start.']);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  expect((await client.query(`select from pg_tables where schemaname = 'public'`)).rowCount).toBe(0);
  await client.end();

  const faultyReport = runDoctor({ DATABASE_URL: 'postgres://panel@127.0.0.1:1/panel', SMTP_URL: 'smtps://127.0.0.1:1' });
  expect(faultyReport.status).toBe(1);
  expect(faultyReport.stdout).toMatch(/^PROBLEM\s+Database\s+Can’t connect to the database at 127\.0\.0\.1:1 \(ECONNREFUSED\)/m);
  expect(faultyReport.stdout).toMatch(/^PROBLEM\s+Email\s+127\.0\.0\.1:1 doesn’t accept email: .*Check SMTP_URL\.$/m);
  expect(faultyReport.stdout.trim().split('\n').at(-1)).toBe('Problems: 2.');
  const withoutGenesis = runDoctor({
    DATABASE_URL: url,
    AUTHORITY_GENESIS: '0'.repeat(64),
    AUTHORITY_GENESIS_FILE: '/no/such/genesis.line',
  });
  expect(withoutGenesis.stdout).toMatch(/^PROBLEM\s+Authority\s+Can’t open \/no\/such\/genesis\.line \(ENOENT\)/m);
  const invalidConfigReport = runDoctor({ SECRET_KEY: 'short' });
  expect(invalidConfigReport.stdout).toMatch(/^PROBLEM\s+Configuration\s+SECRET_KEY must be at least 32 bytes long/m);
});
