import { join } from 'node:path';
import type { Config } from '../platform/core/config.ts';
import { StartError } from '../platform/core/start-error.ts';
import { requireUsableSchema, readStatisticsSchema } from '../platform/db/migrations.ts';
import { serverVersion, statisticsSource } from './connection.ts';
import { findFirstObject } from './first-object.ts';
import { backupParts, readBackup, type Manifest } from './manifest.ts';
import { loadDatabase, programEnvironment, refuseNewerProgram, requireProgram } from './postgres-programs.ts';

/** SQL: all visits that charts count. */
export const visitSumSql = `(select coalesce(sum(v), 0)::text from (select visits as v from visit_days union all select visits from visit_deltas) s)`;

/** Restores visits into the empty statistics database. Needs no other part of the backup. Throws StartError. */
export async function restoreStatistics(config: Config, folder: string): Promise<NonNullable<Manifest['statistics']>> {
  const { statistics: savedStatistics } = await readBackup(folder);
  if (!savedStatistics)
    throw new StartError(`${folder} has no statistics database. Choose a backup that was made with STATISTICS_DATABASE_URL.`);
  const source = statisticsSource(config);
  if (!source) throw new StartError('STATISTICS_DATABASE_URL is required. Set it to an empty database for the visits.');
  requireUsableSchema(savedStatistics.migrations, readStatisticsSchema(), 'backup');
  const client = await source.connect('restore');
  try {
    const existingObject = await findFirstObject(client);
    if (existingObject !== null)
      throw new StartError(
        `The database "${client.database}" isn’t empty (${existingObject}). Create an empty database, set STATISTICS_DATABASE_URL to it, and run the command again.`,
      );
    const env = programEnvironment(client, source.url);
    const server = await serverVersion(client);
    if (server < savedStatistics.postgres.server)
      throw new StartError(
        `The backup is from PostgreSQL ${savedStatistics.postgres.server}, and the database runs PostgreSQL ${server}. Restore into PostgreSQL ${savedStatistics.postgres.server} or newer.`,
      );
    const reader = await requireProgram('pg_restore', savedStatistics.postgres.dump, env);
    await requireProgram('psql', savedStatistics.postgres.dump, env);
    refuseNewerProgram('pg_restore', reader, server);
    await loadDatabase(join(folder, backupParts.statistics), '', env);
    // On Citus, the loaded tables are spread as a migration spreads empty ones.
    const distributionStatement = readStatisticsSchema().migrations[0]?.statements.at(-1);
    if (distributionStatement !== undefined) await client.query(`begin; ${distributionStatement}; commit`);
    const { rows } = await client.query<{ visits: string }>(`select ${visitSumSql} as visits`);
    if (rows[0]?.visits !== savedStatistics.visits)
      throw new StartError(
        `The statistics database has ${rows[0]?.visits} visits instead of ${savedStatistics.visits}. Create an empty database and restore again.`,
      );
    return savedStatistics;
  } finally {
    await client.end().catch(() => {});
    await source.close();
  }
}
