import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { getDatabaseErrorCode } from '../core/error-code.ts';
import type { Log } from '../core/log.ts';
import { StartError } from '../core/start-error.ts';
import { compareVersions, version as ownVersion } from '../core/version.ts';
import { describeLackingGrants, readCurrentRole } from './server-grants.ts';

/** Immutable once released. */
export interface Migration {
  readonly number: number;
  readonly name: string;
  /** Ignores comments and blank lines. */
  readonly hash: string;
  readonly version: string;
  /** Oldest version that works with the schema. Null: all. */
  readonly oldestVersion: string | null;
  readonly statements: readonly string[];
}

export interface SqlFile {
  readonly name: string;
  readonly hash: string;
  readonly text: string;
}

export interface SchemaFiles {
  readonly of: 'panel' | 'statistics';
  readonly version: string;
  readonly migrations: readonly Migration[];
  readonly sql: readonly SqlFile[];
}

/** Where a database records what was applied. */
export const historyTablesOf = ({ of: databaseName }: SchemaFiles) =>
  databaseName === 'panel'
    ? { migrations: 'schema_history.migrations', sqlFiles: 'schema_history.sql_files' }
    : { migrations: 'schema_history.__statistics_migrations', sqlFiles: 'schema_history.__statistics_sql_files' };

export type AppliedMigration = MigrationRecord & { readonly appliedAt: Date };

export type MigrationRecord = Omit<Migration, 'statements'>;

export interface SchemaStatus {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly Migration[];
  /** Differ from what was applied. */
  readonly changedSql: readonly SqlFile[];
  /** Applied by another build of the same version. */
  readonly conflictingSql: readonly SqlFile[];
  readonly newerVersion: string | null;
}

const folderPath = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

let panelSchema: SchemaFiles | undefined;
let statisticsFiles: SchemaFiles | undefined;

export const readPanelSchema = (): SchemaFiles =>
  (panelSchema ??= readSchemaFiles({ migrations: folderPath('migrations'), sql: folderPath('sql') }, ownVersion));

/** Of a separate statistics database, on plain PostgreSQL or Citus. */
export const readStatisticsSchema = (): SchemaFiles =>
  (statisticsFiles ??= readSchemaFiles(
    { migrations: folderPath('statistics/migrations'), sql: folderPath('sql') },
    ownVersion,
    'statistics',
  ));

/** The files of `server/sql` that a statistics database needs. */
const statisticsSql = ['visits.sql'];

export const listTables = ({ migrations }: SchemaFiles): string[] =>
  migrations.flatMap(({ statements }) =>
    statements.flatMap((statement) => /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/im.exec(statement)?.[1] ?? []),
  );

export function readSchemaFiles(
  folders: { migrations: string; sql: string },
  version: string,
  of: SchemaFiles['of'] = 'panel',
): SchemaFiles {
  const migrations = listSqlFiles(folders.migrations).map((file) => {
    const text = readFileSync(join(folders.migrations, file), 'utf8');
    const [, number = ''] = /^(\d{4})_/.exec(file) ?? [];
    return {
      number: Number(number),
      name: file.replace(/\.sql$/, ''),
      hash: hashSql(text),
      version: readHeader(text, 'version') ?? version,
      oldestVersion: readHeader(text, 'oldest version'),
      statements: text.split('--> statement-breakpoint').filter((statement) => stripComments(statement) !== ''),
    };
  });
  const sqlFiles = listSqlFiles(folders.sql).filter((file) => of === 'panel' || statisticsSql.includes(file));
  const sql = sqlFiles.map((file) => {
    const text = readFileSync(join(folders.sql, file), 'utf8');
    return { name: file, hash: hashSql(text), text };
  });
  return { of, version, migrations, sql };
}

const listSqlFiles = (path: string) =>
  readdirSync(path)
    .filter((file) => file.endsWith('.sql'))
    .toSorted();

const headerLine = /^-- ([a-z ]+): (\d+\.\d+\.\d+)$/gm;

/** From a line `-- name: 1.2.3` at the top. */
function readHeader(text: string, name: string): string | null {
  const [comments = ''] = /^(?:--.*\n|\s*\n)*/.exec(text) ?? [];
  return [...comments.matchAll(headerLine)].find(([, headerValue]) => headerValue === name)?.[2] ?? null;
}

const stripComments = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('--'))
    .join('\n');

const hashSql = (text: string) => createHash('sha256').update(stripComments(text)).digest('hex');

/** Throws StartError if this build cannot use the database. */
export async function readSchemaStatus(client: pg.Client | pg.Pool, files: SchemaFiles): Promise<SchemaStatus> {
  const historyTables = historyTablesOf(files);
  const tables = `select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname`;
  const existsSql = (name: string) => `exists (${tables} || '.' || relname = '${name}')`;
  const { rows: schemaState } = await client.query<{
    ours: boolean;
    panels: boolean;
    development: boolean;
    unverified: boolean;
    readable: boolean;
  }>(
    `select ${existsSql(historyTables.migrations)} as ours, ${existsSql('schema_history.migrations')} as panels,
       exists (${tables} = 'drizzle' and relname = '__drizzle_migrations') as development,
       ${isUnverifiedSql} as unverified,
       not exists (${tables} || '.' || relname in ('${historyTables.migrations}', '${historyTables.sqlFiles}')
         and not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'))) as readable`,
  );
  if (schemaState[0]?.readable === false) throw new StartError(describeLackingGrants(await readCurrentRole(client), files.of));
  if (files.of === 'statistics' && schemaState[0]?.panels) throw new StartError(messages.panels);
  if (schemaState[0]?.unverified) throw new StartError(await describeUnverified(client));
  if (!schemaState[0]?.ours) {
    if (schemaState[0]?.development) throw new StartError(messages.development);
    return { applied: [], pending: files.migrations, changedSql: files.sql, conflictingSql: [], newerVersion: null };
  }
  const { rows: applied } = await client.query<AppliedMigration>(
    `select number, name, hash, version, oldest_version as "oldestVersion", applied_at as "appliedAt"
       from ${historyTables.migrations} order by number`,
  );
  const { rows: sqlRows } = await client.query<{ name: string; hash: string; version: string }>(
    `select name, hash, version from ${historyTables.sqlFiles}`,
  );
  const newerMigrations = requireUsableSchema(applied, files);
  const knownSqlRows = new Map(sqlRows.map((row) => [row.name, row]));
  // An older server that restarts during an upgrade must keep the newer functions.
  const isNewer = (row: { version: string } | undefined) => !!row && compareVersions(row.version, files.version) > 0;
  const versions = [...newerMigrations, ...sqlRows.filter(isNewer)].map((row) => row.version);
  const changedSql = files.sql.filter(
    ({ name, hash }) => knownSqlRows.get(name)?.hash !== hash && !isNewer(knownSqlRows.get(name)),
  );
  return {
    applied,
    pending: files.migrations.filter(({ number }) => !applied.some((row) => row.number === number)),
    changedSql,
    conflictingSql: changedSql.filter(({ name }) => knownSqlRows.get(name)?.version === files.version),
    newerVersion: versions.toSorted(compareVersions).at(-1) ?? null,
  };
}

/** In the restoring transaction. Blocks every start until `clearUnverifiedSql`. */
export const markUnverifiedSql = `
create schema if not exists schema_history;
create table if not exists schema_history.unverified_restore (restored_at timestamptz not null default now(), problem text);
insert into schema_history.unverified_restore default values;`;

export const isUnverifiedSql = `exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'schema_history' and c.relname = 'unverified_restore')`;

export const clearUnverifiedSql = 'drop table schema_history.unverified_restore';

async function describeUnverified(client: pg.Client | pg.Pool): Promise<string> {
  const [restore] = await client
    .query<{ at: Date; problem: string | null }>('select restored_at as at, problem from schema_history.unverified_restore')
    .then(
      ({ rows }) => rows,
      () => [],
    );
  const restoredAtText = restore ? ` at ${restore.at.toISOString()}` : '';
  const restoreProblem =
    restore?.problem == null
      ? 'the restore stopped before the verification ended. Run restore FOLDER --verify.'
      : `${restore.problem}. Create an empty database, set DATABASE_URL to it, and restore a sound backup.`;
  return `This database was restored${restoredAtText}, but the restore was not verified as sound: ${restoreProblem}`;
}

/** Returns unknown migrations. Throws StartError if this build cannot use them. */
export function requireUsableSchema<T extends MigrationRecord>(
  applied: readonly T[],
  files: SchemaFiles,
  location: 'database' | 'statistics' | 'backup' = files.of === 'panel' ? 'database' : 'statistics',
): T[] {
  for (const migration of files.migrations) {
    const appliedMigration = applied.find(({ number }) => number === migration.number);
    if (appliedMigration && appliedMigration.hash !== migration.hash)
      throw new StartError(messages[location].different(migration, appliedMigration, files.version));
  }
  const lastKnownNumber = files.migrations.at(-1)?.number ?? -1;
  const newerMigrations = applied.filter(({ number }) => number > lastKnownNumber);
  const [requiredVersion] = newerMigrations
    .filter(({ oldestVersion }) => oldestVersion !== null && compareVersions(files.version, oldestVersion) < 0)
    .toSorted((a, b) => compareVersions(b.oldestVersion ?? '', a.oldestVersion ?? ''));
  if (requiredVersion) throw new StartError(messages[location].tooOld(requiredVersion, files.version));
  return newerMigrations;
}

const messages = {
  panels:
    'STATISTICS_DATABASE_URL names the database of a panel. Create an empty database for the statistics, or remove the variable.',
  development:
    'This database was created by a development version before 1.0.0, which can’t be upgraded. The database was not changed. Set DATABASE_URL to an empty database, or DATA_DIR to a new folder if the panel runs its own PostgreSQL.',
  database: {
    different: ({ name }: Migration, applied: MigrationRecord, version: string) =>
      `Migration ${name} was applied to this database by version ${applied.version} and differs from the one in version ${version}. The database was not changed. Start the version that migrated it.`,
    tooOld: ({ version, oldestVersion }: MigrationRecord, ownVersion: string) =>
      `This database was upgraded by version ${version}, and this is version ${ownVersion}. Start version ${oldestVersion ?? version} or newer, or restore a backup from before the upgrade.`,
  },
  statistics: {
    different: ({ name }: Migration, applied: MigrationRecord, version: string) =>
      `Migration ${name} was applied to the statistics database by version ${applied.version} and differs from the one in version ${version}. The database was not changed. Start the version that migrated it.`,
    tooOld: ({ version, oldestVersion }: MigrationRecord, ownVersion: string) =>
      `The statistics database was upgraded by version ${version}, and this is version ${ownVersion}. Start version ${oldestVersion ?? version} or newer, or set STATISTICS_DATABASE_URL to another database.`,
  },
  backup: {
    different: ({ name }: Migration, applied: MigrationRecord, version: string) =>
      `Migration ${name} of this backup is from version ${applied.version} and differs from the one in version ${version}. Restore with the version that made the backup.`,
    tooOld: ({ version, oldestVersion }: MigrationRecord, ownVersion: string) =>
      `This backup is from a database of version ${version}, and this is version ${ownVersion}. Restore with version ${oldestVersion ?? version} or newer.`,
  },
  locked: ({ name }: { name: string }) =>
    `${name} waited too long for a table that a transaction uses. The migration was not applied. End that transaction (see pg_stat_activity) and start again.`,
};

/** Needs the migration lock. One transaction each, except with `concurrently`, which is repeatable. */
export async function migrateSchema(client: pg.Client, files: SchemaFiles, log: Log): Promise<SchemaStatus> {
  const status = await readSchemaStatus(client, files);
  const { pending, changedSql, conflictingSql, newerVersion } = status;
  if (newerVersion !== null)
    log.warn(
      { database: newerVersion, build: files.version },
      'a newer version has upgraded the database, and this build can use it',
    );
  if (conflictingSql.length > 0)
    log.warn(
      { files: conflictingSql.map(({ name }) => name), version: files.version },
      'another build of this version applied other SQL files, and this build replaces those: run only one build of a version',
    );
  if (pending.length > 0 || changedSql.length > 0) await client.query(bookkeepingSql(files));
  for (const migration of pending) {
    await retryOnLockTimeout(migration, () =>
      isConcurrentMigration(migration) ? applyConcurrently(client, files, migration) : applyMigration(client, files, migration),
    );
    if (status.applied.length > 0) log.info({ migration: migration.name }, 'migration applied');
  }
  for (const file of changedSql)
    await retryOnLockTimeout({ name: `server/sql/${file.name}` }, () => applySql(client, files, file));
  return status;
}

function bookkeepingSql(files: SchemaFiles): string {
  const { migrations, sqlFiles } = historyTablesOf(files);
  return `
  create schema if not exists schema_history;
  create table if not exists ${migrations} (number integer primary key, name text not null, hash text not null,
    version text not null, oldest_version text, applied_at timestamptz not null default now());
  create table if not exists ${sqlFiles} (name text primary key, hash text not null, version text not null,
    applied_at timestamptz not null default now());`;
}

/** Retries with a short timeout, because a queued lock request blocks all later queries. */
async function retryOnLockTimeout(migration: { name: string }, task: () => Promise<void>): Promise<void> {
  for (let attemptNumber = 1; ; attemptNumber++) {
    try {
      await task();
      return;
    } catch (error) {
      if (!['55P03', '40P01'].includes(getDatabaseErrorCode(error) ?? '')) throw error; // lock timeout, deadlock
      if (attemptNumber >= lockAttempts) throw new StartError(messages.locked(migration));
      await sleep(500);
    }
  }
}

const lockAttempts = 30;
/** A schema named like the role must not receive the tables. */
const transactionSettings = `set local lock_timeout = '2s'; set local search_path = public`;

async function runInTransaction(client: pg.Client, task: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(transactionSettings);
    await task();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

const applyMigration = (client: pg.Client, files: SchemaFiles, migration: Migration) =>
  runInTransaction(client, async () => {
    for (const statement of migration.statements) await client.query(statement);
    await recordMigration(client, files, migration);
  });

const indexStatement = /^create (?:unique )?index concurrently if not exists "?(\w+)"?/i;

const isConcurrentMigration = ({ statements }: Migration) =>
  statements.some((statement) => indexStatement.test(stripComments(statement)));

async function applyConcurrently(client: pg.Client, files: SchemaFiles, migration: Migration): Promise<void> {
  for (const statement of migration.statements) {
    const [, index] = indexStatement.exec(stripComments(statement)) ?? [];
    if (index === undefined)
      throw new Error(`${migration.name}: only create index concurrently if not exists can run outside a transaction`);
    // "if not exists" would keep the invalid index of an interrupted attempt.
    const { rowCount } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
      `public.${index}`,
    ]);
    if (rowCount) await client.query(`drop index concurrently if exists public.${index}`);
    await client.query(statement);
  }
  await recordMigration(client, files, migration);
}

const recordMigration = (client: pg.Client, files: SchemaFiles, { number, name, hash, version, oldestVersion }: Migration) =>
  client.query(
    `insert into ${historyTablesOf(files).migrations} (number, name, hash, version, oldest_version) values ($1, $2, $3, $4, $5)`,
    [number, name, hash, version, oldestVersion],
  );

const applySql = (client: pg.Client, files: SchemaFiles, { name, hash, text }: SqlFile) =>
  runInTransaction(client, async () => {
    await client.query(text);
    await client.query(
      `insert into ${historyTablesOf(files).sqlFiles} (name, hash, version) values ($1, $2, $3)
         on conflict (name) do update set hash = excluded.hash, version = excluded.version, applied_at = now()`,
      [name, hash, files.version],
    );
  });
