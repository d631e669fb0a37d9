import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import pg from 'pg';
import { inject } from 'vitest';
import { root } from '../../scripts/setup.mjs';
import { newId } from '../platform/core/ids.ts';
import { readPanelSchema } from '../platform/db/migrations.ts';
import { onCleanup } from './cleanup.ts';
import { runOnServer, replaceDatabase } from './run-postgres.ts';

const releasesFolder = join(root, 'testing/releases');

export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly migrations: number;
}

/** Releases with a stored database (scripts/release/dump.ts), oldest first. */
export const savedReleases: readonly Release[] = readdirSync(releasesFolder)
  .map((version) => JSON.parse(readFileSync(join(releasesFolder, version, 'release.json'), 'utf8')) as Release)
  .toSorted((a, b) => a.migrations - b.migrations);

export const readReleaseRows = (version: string): Record<string, string[]> =>
  JSON.parse(gunzipSync(readFileSync(join(releasesFolder, version, 'rows.json.gz'))).toString()) as Record<string, string[]>;

/** Dropped after the test. Returns the URL. */
export async function restoreRelease({ version, migrations }: Release): Promise<string> {
  const name = `release_${newId().replaceAll('-', '')}`;
  await runOnServer(inject('postgresUrl'), `create database ${name}`);
  onCleanup(() => runOnServer(inject('postgresUrl'), `drop database ${name} with (force)`));
  const url = replaceDatabase(inject('postgresUrl'), name);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create schema schema_history`);
    await client.query(`create table schema_history.migrations (number integer primary key, name text not null, hash text not null,
      version text not null, oldest_version text, applied_at timestamptz not null default now())`);
    await client.query(`create table schema_history.sql_files (name text primary key, hash text not null, version text not null,
      applied_at timestamptz not null default now())`);
    for (const { number, name: file, hash, statements } of readPanelSchema().migrations.slice(0, migrations)) {
      for (const statement of statements) await client.query(statement);
      await client.query('insert into schema_history.migrations (number, name, hash, version) values ($1, $2, $3, $4)', [
        number,
        file,
        hash,
        version,
      ]);
    }
    await client.query(readFileSync(join(releasesFolder, version, 'functions.sql'), 'utf8'));
    await client.query('set session_replication_role = replica');
    for (const [table, rows] of Object.entries(readReleaseRows(version))) {
      if (rows.length === 0) continue;
      const createMonthPartition = { audit: 'audit_make_month', visits: 'visits_make_month' }[table];
      if (createMonthPartition)
        for (const row of rows)
          await client.query(
            `select ${createMonthPartition}($1::timestamptz${createMonthPartition === 'visits_make_month' ? '::date' : ''})`,
            [(JSON.parse(row) as { at: string }).at.replace(/-\d\dT.*/, '-01T00:00:00Z')],
          );
      await client.query(
        `insert into ${pg.escapeIdentifier(table)} overriding system value
           select * from jsonb_populate_recordset(null::${pg.escapeIdentifier(table)}, $1)`,
        [`[${rows.join(',')}]`],
      );
    }
  } finally {
    await client.end();
  }
  return url;
}
