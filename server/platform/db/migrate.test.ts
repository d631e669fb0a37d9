import { randomUUID } from 'node:crypto';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnose } from '../../doctor/checks.ts';
import { createTemporaryFolder } from '../../testing/cleanup.ts';
import { createTestDatabase } from '../../testing/support.ts';
import { readConfig } from '../core/config.ts';
import { createLogger } from '../core/log.ts';
import { version } from '../core/version.ts';
import { openDatabase, type Database } from './db.ts';
import { clearUnverifiedSql, markUnverifiedSql, readPanelSchema, readSchemaFiles } from './migrations.ts';
import { buildServerGrants } from './server-grants.ts';

const silentLog = createLogger({ level: 'silent' });

function createBuild(otherVersion: string, changeFolders: (folders: { migrations: string; sql: string }) => void = () => {}) {
  const folder = createTemporaryFolder();
  const folders = { migrations: join(folder, 'migrations'), sql: join(folder, 'sql') };
  cpSync('server/migrations', folders.migrations, { recursive: true });
  cpSync('server/sql', folders.sql, { recursive: true });
  changeFolders(folders);
  return readSchemaFiles(folders, otherVersion);
}

const newestMigration = readPanelSchema().migrations.length - 1;
const nextMigrationName = `${String(newestMigration + 1).padStart(4, '0')}_next`;
const addNextMigration =
  (text: string) =>
  ({ migrations }: { migrations: string }) =>
    writeFileSync(join(migrations, `${nextMigrationName}.sql`), text);

async function migrateWith(url: string, schema: ReturnType<typeof createBuild>, log = silentLog): Promise<Database> {
  const database = openDatabase({ url, log, schema });
  try {
    await database.migrate();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

async function catchRefusal(url: string, schema = readPanelSchema()): Promise<string> {
  const database = openDatabase({ url, log: silentLog, schema });
  const message = await database.migrate().then(
    () => 'was not refused',
    (error: unknown) => (error as Error).message,
  );
  await database.close();
  return message;
}

test('a migrated database has no pending migration', async () => {
  const database = await createTestDatabase();
  await database.migrate();
  const { applied: appliedMigrations, pending, changedSql, newerVersion } = await database.schemaStatus();
  expect({ pending, changedSql, newerVersion }).toEqual({ pending: [], changedSql: [], newerVersion: null });
  expect(appliedMigrations.map(({ name }) => name)).toEqual(readPanelSchema().migrations.map(({ name }) => name));
});

test('the tables are in the schema public where the database role has a schema of its own name', async () => {
  const { url, pool } = await createTestDatabase();
  await pool.query('drop schema schema_history, public cascade; create schema public; create schema panel');
  await pool.query(`alter database ${new URL(url).pathname.slice(1)} set search_path = panel, public`); // "$user" is this schema for the role panel
  const database = await migrateWith(url, readPanelSchema());
  const { rows } = await database.pool.query(`select from pg_tables where schemaname = 'panel'`);
  expect(rows).toEqual([]);
  await database.close();
});

test('a comment in a migration or in a function does not count as a change', async () => {
  const { url } = await createTestDatabase();
  const commentedBuild = createBuild(version, ({ migrations, sql }) => {
    for (const path of [join(migrations, '0000_schema.sql'), join(sql, 'audit.sql')])
      writeFileSync(path, '-- One more comment.\n\n', { flag: 'a' });
  });
  expect(await catchRefusal(url, commentedBuild)).toBe('was not refused');
});

test('refuses a database of a development version without advice to delete data', async () => {
  const { url, pool } = await createTestDatabase();
  await pool.query(
    'drop schema schema_history cascade; create schema drizzle; create table drizzle.__drizzle_migrations (id int)',
  );
  const message = await catchRefusal(url);
  expect(message).toContain('created by a development version before 1.0.0');
  expect(message).not.toMatch(/delete|remove|drop/i);
});

test('a migration that another build applied with other statements is refused, naming both versions', async () => {
  const { url, pool } = await createTestDatabase();
  await pool.query(`update schema_history.migrations set hash = 'another', version = '0.9.0' where number = 0`);
  expect(await catchRefusal(url)).toBe(
    `Migration 0000_schema was applied to this database by version 0.9.0 and differs from the one in version ${version}. The database was not changed. Start the version that migrated it.`,
  );
});

test('an older build starts on a schema that it can use, and keeps the functions of the newer build', async () => {
  const { url, pool } = await createTestDatabase();
  const newerBuild = createBuild('9.1.0', (folders) => {
    addNextMigration('-- version: 9.1.0\nALTER TABLE "news" ADD COLUMN "author" text;')(folders);
    writeFileSync(
      join(folders.sql, 'greeting.sql'),
      `CREATE OR REPLACE FUNCTION greeting() RETURNS int LANGUAGE sql AS 'select 2';`,
    );
  });
  await (await migrateWith(url, newerBuild)).close();
  const lines: string[] = [];
  const log = createLogger({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const olderBuild = createBuild('9.0.0', ({ sql }) =>
    writeFileSync(join(sql, 'greeting.sql'), `CREATE OR REPLACE FUNCTION greeting() RETURNS int LANGUAGE sql AS 'select 1';`),
  );
  const database = await migrateWith(url, olderBuild, log);
  expect(await database.readinessProblem()).toBeNull();
  await database.close();
  expect(lines.join('')).toContain('a newer version has upgraded the database, and this build can use it');
  expect((await pool.query('select greeting()')).rows).toEqual([{ greeting: 2 }]);
});

test('two builds of the same version with different SQL files are reported in the log', async () => {
  const { url } = await createTestDatabase();
  const lines: string[] = [];
  const log = createLogger({ level: 'warn' }, { write: (line) => void lines.push(line) });
  const buildWithGreeting = (greetingResult: number) =>
    createBuild(version, ({ sql }) =>
      writeFileSync(
        join(sql, 'greeting.sql'),
        `CREATE OR REPLACE FUNCTION greeting() RETURNS int LANGUAGE sql AS 'select ${greetingResult}';`,
      ),
    );
  await (await migrateWith(url, buildWithGreeting(1), log)).close();
  expect(lines).toEqual([]);
  await (await migrateWith(url, buildWithGreeting(2), log)).close();
  expect(lines.join('')).toMatch(/"files":\["greeting\.sql"\].*another build of this version applied other SQL files/);
});

test('an older build refuses a schema that it cannot use, naming both versions', async () => {
  const { url } = await createTestDatabase();
  const newerBuild = createBuild(
    '9.2.0',
    addNextMigration('-- version: 9.2.0\n-- oldest version: 9.1.0\nALTER TABLE "news" DROP COLUMN "link";'),
  );
  await (await migrateWith(url, newerBuild)).close();
  expect(await catchRefusal(url, createBuild('9.0.0'))).toBe(
    'This database was upgraded by version 9.2.0, and this is version 9.0.0. Start version 9.1.0 or newer, or restore a backup from before the upgrade.',
  );
  expect(await catchRefusal(url, createBuild('9.1.0'))).toBe('was not refused');
});

test('an older server that still runs is not ready once the schema excludes its version', async () => {
  const { url } = await createTestDatabase();
  const olderDatabase = openDatabase({ url, log: silentLog, schema: createBuild('9.0.0') });
  expect(await olderDatabase.readinessProblem()).toBeNull();
  const newerBuild = createBuild(
    '9.2.0',
    addNextMigration('-- version: 9.2.0\n-- oldest version: 9.1.0\nALTER TABLE "news" DROP COLUMN "link";'),
  );
  await (await migrateWith(url, newerBuild)).close();
  expect(await olderDatabase.readinessProblem()).toBe('the database was upgraded, and this build is older than version 9.1.0');
  await olderDatabase.close();
});

test('two servers that start together build a concurrent index one after the other', async () => {
  const { url, pool } = await createTestDatabase();
  const concurrentBuild = createBuild(
    '9.1.0',
    addNextMigration('CREATE INDEX CONCURRENTLY IF NOT EXISTS "news_next" ON "news" ("link");'),
  );
  for (const database of await Promise.all([1, 2, 3].map(() => migrateWith(url, concurrentBuild)))) await database.close();
  const { rows } = await pool.query(`select indisvalid from pg_index where indexrelid = 'news_next'::regclass`);
  expect(rows).toEqual([{ indisvalid: true }]);
});

test('a build is not ready on a database that lacks its migration', async () => {
  const { url } = await createTestDatabase();
  const database = openDatabase({ url, log: silentLog, schema: createBuild('9.1.0', addNextMigration('SELECT 1;')) });
  expect(await database.readinessProblem()).toBe('the database lacks a migration');
  expect((await database.schemaStatus()).pending.map(({ name }) => name)).toEqual([nextMigrationName]);
  await database.migrate();
  expect(await database.readinessProblem()).toBeNull();
  await database.close();
});

test('a migration that fails leaves nothing behind', async () => {
  const { url, pool } = await createTestDatabase();
  const failingBuild = createBuild(
    '9.1.0',
    addNextMigration('CREATE TABLE half (id int);--> statement-breakpoint\nSELECT 1 / 0;'),
  );
  expect(await catchRefusal(url, failingBuild)).toContain('division by zero');
  expect((await pool.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }]);
  expect((await pool.query('select from schema_history.migrations where number > $1', [newestMigration])).rowCount).toBe(0);
});

test('an index that an interrupted migration left invalid is built again', async () => {
  const { url, pool } = await createTestDatabase();
  await pool.query(`create index news_next on news (link)`);
  await pool.query(`update pg_index set indisvalid = false where indexrelid = 'news_next'::regclass`);
  const concurrentBuild = createBuild(
    '9.1.0',
    addNextMigration('CREATE INDEX CONCURRENTLY IF NOT EXISTS "news_next" ON "news" ("link");'),
  );
  await (await migrateWith(url, concurrentBuild)).close();
  const { rows } = await pool.query(`select indisvalid from pg_index where indexrelid = 'news_next'::regclass`);
  expect(rows).toEqual([{ indisvalid: true }]);
});

test('a migration waits for a transaction that holds its table, without blocking writes to that table', async () => {
  const { url, pool } = await createTestDatabase();
  const lockHolder = await pool.connect();
  await lockHolder.query('begin');
  await lockHolder.query('select from news limit 1');
  const blockedBuild = createBuild('9.1.0', addNextMigration('ALTER TABLE "news" ADD COLUMN "author" text;'));
  const pendingMigration = migrateWith(url, blockedBuild);
  const isWaiting = async () =>
    (await pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'ALTER TABLE "news"%'`))
      .rowCount;
  await expect.poll(isWaiting, { timeout: 10_000 }).toBe(1);
  await pool.query('update news set link = link');
  await lockHolder.query('commit');
  lockHolder.release();
  const database = await pendingMigration;
  expect(await database.readinessProblem()).toBeNull();
  await database.close();
});

test('a start on an unverified restored database fails with the reason until the mark is cleared', async () => {
  const { url, pool } = await createTestDatabase();
  const runningDatabase = openDatabase({ url, log: silentLog });
  expect(await runningDatabase.readinessProblem()).toBeNull();
  await pool.query(markUnverifiedSql);
  const problem = 'the database was restored, but the restore was not verified as sound';
  expect([await runningDatabase.readinessProblem(), await runningDatabase.schemaProblem()]).toEqual([problem, problem]);
  await runningDatabase.close();
  expect(await catchRefusal(url)).toMatch(
    /^This database was restored at .*, but the restore was not verified as sound: the restore stopped before the verification ended\. Run restore FOLDER --verify\.$/,
  );
  await pool.query(`update schema_history.unverified_restore set problem = 'the audit is not sound'`);
  expect(await catchRefusal(url)).toContain('but the restore was not verified as sound: the audit is not sound. Create');
  await pool.query(clearUnverifiedSql);
  expect(await catchRefusal(url)).toBe('was not refused');
});

test('the start, the readiness check and doctor report a server role that lacks grants', async () => {
  const { url, pool } = await createTestDatabase();
  const role = `server_${randomUUID().replaceAll('-', '').slice(0, 20)}`;
  await pool.query(`create role ${role} login password 'p'`);
  const ownUrl = Object.assign(new URL(url), { username: role, password: 'p' }).href;
  const database = openDatabase({ url: ownUrl, log: silentLog });
  const grantsProblem = 'the database role lacks grants: run migrate --grants ROLE (for a signer: signer --grants ROLE)';
  const reportedProblem = `The database role "${role}" lacks grants. Run the output of migrate --grants ${role} as the owner of the tables`;
  const runDoctor = async () =>
    (await diagnose(readConfig({ DATABASE_URL: ownUrl, DATA_DIR: createTemporaryFolder() }), silentLog)).filter(
      ({ level, subject }) => level === 'problem' && /Database|Schema/.test(subject),
    );
  const problems = [{ level: 'problem', subject: expect.any(String), text: expect.stringContaining(reportedProblem) }];
  try {
    expect(await catchRefusal(ownUrl)).toContain(reportedProblem);
    expect(await database.readinessProblem()).toBe(grantsProblem);
    expect(await runDoctor()).toEqual(problems);

    await pool.query(buildServerGrants(role));
    expect(await catchRefusal(ownUrl)).toBe('was not refused');
    expect(await database.readinessProblem()).toBeNull();
    expect(await runDoctor()).toEqual([]);

    await pool.query('create table archive (id serial)');
    expect(await database.readinessProblem()).toBeNull();

    await pool.query(`revoke update on news from ${role}`);
    expect(await database.readinessProblem()).toBe(grantsProblem);
    expect(await runDoctor()).toEqual(problems);
  } finally {
    await database.close();
    await pool.query(`drop owned by ${role}; drop role ${role}`);
  }
});
