import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { codeOf } from '../core/error-code.ts';
import type { Log } from '../core/log.ts';
import { StartError } from '../core/start-error.ts';
import { compareVersions, version as ownVersion } from '../core/version.ts';
import { lacksGrants, currentRole } from './server-grants.ts';

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
export const historyTablesOf = ({ of }: SchemaFiles) =>
  of === 'panel'
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

const folder = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

let own: SchemaFiles | undefined;
let statistics: SchemaFiles | undefined;

export const ownSchema = (): SchemaFiles =>
  (own ??= readSchemaFiles({ migrations: folder('migrations'), sql: folder('sql') }, ownVersion));

/** Of a separate statistics database, on plain PostgreSQL or Citus. */
export const statisticsSchema = (): SchemaFiles =>
  (statistics ??= readSchemaFiles({ migrations: folder('statistics/migrations'), sql: folder('sql') }, ownVersion, 'statistics'));

/** The files of `server/sql` that a statistics database needs. */
const statisticsSql = ['visits.sql'];

export const tablesOf = ({ migrations }: SchemaFiles): string[] =>
  migrations.flatMap(({ statements }) =>
    statements.flatMap((statement) => /^CREATE TABLE (?:IF NOT EXISTS )?"?(\w+)/im.exec(statement)?.[1] ?? []),
  );

export function readSchemaFiles(
  folders: { migrations: string; sql: string },
  version: string,
  of: SchemaFiles['of'] = 'panel',
): SchemaFiles {
  const migrations = sqlIn(folders.migrations).map((file) => {
    const text = readFileSync(join(folders.migrations, file), 'utf8');
    const [, number = ''] = /^(\d{4})_/.exec(file) ?? [];
    return {
      number: Number(number),
      name: file.replace(/\.sql$/, ''),
      hash: hashOf(text),
      version: headerOf(text, 'version') ?? version,
      oldestVersion: headerOf(text, 'oldest version'),
      statements: text.split('--> statement-breakpoint').filter((statement) => bare(statement) !== ''),
    };
  });
  const sqlFiles = sqlIn(folders.sql).filter((file) => of === 'panel' || statisticsSql.includes(file));
  const sql = sqlFiles.map((file) => {
    const text = readFileSync(join(folders.sql, file), 'utf8');
    return { name: file, hash: hashOf(text), text };
  });
  return { of, version, migrations, sql };
}

const sqlIn = (path: string) =>
  readdirSync(path)
    .filter((file) => file.endsWith('.sql'))
    .toSorted();

const headerLine = /^-- ([a-z ]+): (\d+\.\d+\.\d+)$/gm;

/** From a line `-- name: 1.2.3` at the top. */
function headerOf(text: string, name: string): string | null {
  const [comments = ''] = /^(?:--.*\n|\s*\n)*/.exec(text) ?? [];
  return [...comments.matchAll(headerLine)].find(([, found]) => found === name)?.[2] ?? null;
}

const bare = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('--'))
    .join('\n');

const hashOf = (text: string) => createHash('sha256').update(bare(text)).digest('hex');

/** Throws StartError if this build cannot use the database. */
export async function readSchemaStatus(client: pg.Client | pg.Pool, files: SchemaFiles): Promise<SchemaStatus> {
  const history = historyTablesOf(files);
  const tables = `select from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname`;
  const isThere = (name: string) => `exists (${tables} || '.' || relname = '${name}')`;
  const { rows: found } = await client.query<{
    ours: boolean;
    panels: boolean;
    development: boolean;
    unverified: boolean;
    readable: boolean;
  }>(
    `select ${isThere(history.migrations)} as ours, ${isThere('schema_history.migrations')} as panels,
       exists (${tables} = 'drizzle' and relname = '__drizzle_migrations') as development,
       ${isUnverified} as unverified,
       not exists (${tables} || '.' || relname in ('${history.migrations}', '${history.sqlFiles}')
         and not (has_schema_privilege(n.oid, 'usage') and has_table_privilege(c.oid, 'select'))) as readable`,
  );
  if (found[0]?.readable === false) throw new StartError(lacksGrants(await currentRole(client), files.of));
  if (files.of === 'statistics' && found[0]?.panels) throw new StartError(messages.panels);
  if (found[0]?.unverified) throw new StartError(await describeUnverified(client));
  if (!found[0]?.ours) {
    if (found[0]?.development) throw new StartError(messages.development);
    return { applied: [], pending: files.migrations, changedSql: files.sql, conflictingSql: [], newerVersion: null };
  }
  const { rows: applied } = await client.query<AppliedMigration>(
    `select number, name, hash, version, oldest_version as "oldestVersion", applied_at as "appliedAt"
       from ${history.migrations} order by number`,
  );
  const { rows: sqlRows } = await client.query<{ name: string; hash: string; version: string }>(
    `select name, hash, version from ${history.sqlFiles}`,
  );
  const newer = requireUsableSchema(applied, files);
  const known = new Map(sqlRows.map((row) => [row.name, row]));
  // An older server that restarts during an upgrade must keep the newer functions.
  const isNewer = (row: { version: string } | undefined) => !!row && compareVersions(row.version, files.version) > 0;
  const versions = [...newer, ...sqlRows.filter(isNewer)].map((row) => row.version);
  const changedSql = files.sql.filter(({ name, hash }) => known.get(name)?.hash !== hash && !isNewer(known.get(name)));
  return {
    applied,
    pending: files.migrations.filter(({ number }) => !applied.some((row) => row.number === number)),
    changedSql,
    conflictingSql: changedSql.filter(({ name }) => known.get(name)?.version === files.version),
    newerVersion: versions.toSorted(compareVersions).at(-1) ?? null,
  };
}

/** In the restoring transaction. Blocks every start until `clearUnverified`. */
export const markUnverified = `
create schema if not exists schema_history;
create table if not exists schema_history.unverified_restore (restored_at timestamptz not null default now(), problem text);
insert into schema_history.unverified_restore default values;`;

export const isUnverified = `exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = 'schema_history' and c.relname = 'unverified_restore')`;

export const clearUnverified = 'drop table schema_history.unverified_restore';

async function describeUnverified(client: pg.Client | pg.Pool): Promise<string> {
  const [restore] = await client
    .query<{ at: Date; problem: string | null }>('select restored_at as at, problem from schema_history.unverified_restore')
    .then(
      ({ rows }) => rows,
      () => [],
    );
  const at = restore ? ` at ${restore.at.toISOString()}` : '';
  const rest =
    restore?.problem == null
      ? 'the restore stopped before the verification ended. Run restore FOLDER --verify.'
      : `${restore.problem}. Create an empty database, set DATABASE_URL to it, and restore a sound backup.`;
  return `This database was restored${at}, but the restore was not verified as sound: ${rest}`;
}

/** Returns unknown migrations. Throws StartError if this build cannot use them. */
export function requireUsableSchema<T extends MigrationRecord>(
  applied: readonly T[],
  files: SchemaFiles,
  place: 'database' | 'statistics' | 'backup' = files.of === 'panel' ? 'database' : 'statistics',
): T[] {
  for (const migration of files.migrations) {
    const same = applied.find(({ number }) => number === migration.number);
    if (same && same.hash !== migration.hash) throw new StartError(messages[place].different(migration, same, files.version));
  }
  const last = files.migrations.at(-1)?.number ?? -1;
  const newer = applied.filter(({ number }) => number > last);
  const [required] = newer
    .filter(({ oldestVersion }) => oldestVersion !== null && compareVersions(files.version, oldestVersion) < 0)
    .toSorted((a, b) => compareVersions(b.oldestVersion ?? '', a.oldestVersion ?? ''));
  if (required) throw new StartError(messages[place].tooOld(required, files.version));
  return newer;
}

const messages = {
  panels:
    'STATISTICS_DATABASE_URL names the database of a panel. Create an empty database for the statistics, or remove the variable.',
  development:
    'This database was created by a development version before 1.0.0, which can’t be upgraded. The database was not changed. Set DATABASE_URL to an empty database, or DATA_DIR to a new folder if the panel runs its own PostgreSQL.',
  database: {
    different: ({ name }: Migration, applied: MigrationRecord, version: string) =>
      `Migration ${name} was applied to this database by version ${applied.version} and differs from the one in version ${version}. The database was not changed. Start the version that migrated it.`,
    tooOld: ({ version, oldestVersion }: MigrationRecord, own: string) =>
      `This database was upgraded by version ${version}, and this is version ${own}. Start version ${oldestVersion ?? version} or newer, or restore a backup from before the upgrade.`,
  },
  statistics: {
    different: ({ name }: Migration, applied: MigrationRecord, version: string) =>
      `Migration ${name} was applied to the statistics database by version ${applied.version} and differs from the one in version ${version}. The database was not changed. Start the version that migrated it.`,
    tooOld: ({ version, oldestVersion }: MigrationRecord, own: string) =>
      `The statistics database was upgraded by version ${version}, and this is version ${own}. Start version ${oldestVersion ?? version} or newer, or set STATISTICS_DATABASE_URL to another database.`,
  },
  backup: {
    different: ({ name }: Migration, applied: MigrationRecord, version: string) =>
      `Migration ${name} of this backup is from version ${applied.version} and differs from the one in version ${version}. Restore with the version that made the backup.`,
    tooOld: ({ version, oldestVersion }: MigrationRecord, own: string) =>
      `This backup is from a database of version ${version}, and this is version ${own}. Restore with version ${oldestVersion ?? version} or newer.`,
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
  if (pending.length > 0 || changedSql.length > 0) await client.query(bookkeepingOf(files));
  for (const migration of pending) {
    await applied(migration, () =>
      isConcurrent(migration) ? applyConcurrently(client, files, migration) : apply(client, files, migration),
    );
    if (status.applied.length > 0) log.info({ migration: migration.name }, 'migration applied');
  }
  for (const file of changedSql) await applied({ name: `server/sql/${file.name}` }, () => applySql(client, files, file));
  return status;
}

function bookkeepingOf(files: SchemaFiles): string {
  const { migrations, sqlFiles } = historyTablesOf(files);
  return `
  create schema if not exists schema_history;
  create table if not exists ${migrations} (number integer primary key, name text not null, hash text not null,
    version text not null, oldest_version text, applied_at timestamptz not null default now());
  create table if not exists ${sqlFiles} (name text primary key, hash text not null, version text not null,
    applied_at timestamptz not null default now());`;
}

/** Retries with a short timeout, because a queued lock request blocks all later queries. */
async function applied(what: { name: string }, work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (!['55P03', '40P01'].includes(codeOf(error) ?? '')) throw error; // lock timeout, deadlock
      if (attempt >= lockAttempts) throw new StartError(messages.locked(what));
      await sleep(500);
    }
  }
}

const lockAttempts = 30;
/** A schema named like the role must not receive the tables. */
const transactionSettings = `set local lock_timeout = '2s'; set local search_path = public`;

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await client.query(transactionSettings);
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

const apply = (client: pg.Client, files: SchemaFiles, migration: Migration) =>
  inTransaction(client, async () => {
    for (const statement of migration.statements) await client.query(statement);
    await record(client, files, migration);
  });

const indexStatement = /^create (?:unique )?index concurrently if not exists "?(\w+)"?/i;

const isConcurrent = ({ statements }: Migration) => statements.some((statement) => indexStatement.test(bare(statement)));

async function applyConcurrently(client: pg.Client, files: SchemaFiles, migration: Migration): Promise<void> {
  for (const statement of migration.statements) {
    const [, index] = indexStatement.exec(bare(statement)) ?? [];
    if (index === undefined)
      throw new Error(`${migration.name}: only create index concurrently if not exists can run outside a transaction`);
    // "if not exists" would keep the invalid index of an interrupted attempt.
    const { rowCount } = await client.query('select from pg_index where indexrelid = to_regclass($1) and not indisvalid', [
      `public.${index}`,
    ]);
    if (rowCount) await client.query(`drop index concurrently if exists public.${index}`);
    await client.query(statement);
  }
  await record(client, files, migration);
}

const record = (client: pg.Client, files: SchemaFiles, { number, name, hash, version, oldestVersion }: Migration) =>
  client.query(
    `insert into ${historyTablesOf(files).migrations} (number, name, hash, version, oldest_version) values ($1, $2, $3, $4, $5)`,
    [number, name, hash, version, oldestVersion],
  );

const applySql = (client: pg.Client, files: SchemaFiles, { name, hash, text }: SqlFile) =>
  inTransaction(client, async () => {
    await client.query(text);
    await client.query(
      `insert into ${historyTablesOf(files).sqlFiles} (name, hash, version) values ($1, $2, $3)
         on conflict (name) do update set hash = excluded.hash, version = excluded.version, applied_at = now()`,
      [name, hash, files.version],
    );
  });
