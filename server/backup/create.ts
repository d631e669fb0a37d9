import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { PictureStore } from '../platform/content/pictures-store.ts';
import type { Config } from '../platform/core/config.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { StartError } from '../platform/core/start-error.ts';
import { version } from '../platform/core/version.ts';
import { recordMaintenance } from '../platform/db/maintenance.ts';
import { readPanelSchema, readSchemaStatus, readStatisticsSchema, type AppliedMigration } from '../platform/db/migrations.ts';
import { readBuildId } from '../platform/http/static.ts';
import { openBackupSource, serverVersion, statisticsSource } from './connection.ts';
import { runInBatches } from './parallel-steps.ts';
import { describeFile, backupParts, pictureFileName, writeManifest, type Manifest } from './manifest.ts';
import { dumpDatabase, programEnvironment, requireProgram } from './postgres-programs.ts';
import { visitSumSql } from './restore-statistics.ts';

/**
 * One snapshot of the database while the panel runs. Heads are copied first, so that each refers to
 * a row in it. Throws StartError.
 */
export async function createBackup(
  config: Config,
  folder: string,
): Promise<Omit<Manifest, 'format'> & { statisticsProblem: string | null }> {
  const { pictures: store } = openExternalServices(config);
  await requireEmptyFolder(folder);
  const source = await openBackupSource(config);
  let client: pg.Client | undefined;
  try {
    client = await source.connect('backup');
    const env = programEnvironment(client, source.url);
    const server = await serverVersion(client);
    const dumpVersion = await requireProgram('pg_dump', server, env);
    const { applied } = await readSchemaStatus(client, readPanelSchema());
    if (applied.length === 0) throw new StartError('The database has no tables of the panel. Check DATABASE_URL.');
    await store.check();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await chmod(folder, 0o700);
    await mkdir(join(folder, backupParts.pictures), { mode: 0o700 });
    const headCount = await copyHeads(config.auditHeadsFile, join(folder, backupParts.heads));

    const databaseSnapshot = await openSnapshot(client);
    await dumpDatabase(join(folder, backupParts.dump), databaseSnapshot.snapshot, env);
    await client.query('commit');
    const missingPictures = await copyPictures(store, databaseSnapshot.pictureIds, folder);

    // An outage of statistics must not keep the ledger out of a backup.
    const statisticsPart = await dumpStatistics(config, join(folder, backupParts.statistics)).catch((error: unknown) => {
      if (error instanceof StartError) return error;
      throw error;
    });
    const statistics = statisticsPart instanceof StartError ? null : statisticsPart;

    const missingIds = new Set(missingPictures);
    const copiedFiles = databaseSnapshot.pictureIds.filter((id) => !missingIds.has(id)).map(pictureFileName);
    const files: Manifest['files'] = {};
    for (const name of [
      backupParts.dump,
      ...(statistics ? [backupParts.statistics] : []),
      ...(headCount > 0 ? [backupParts.heads] : []),
      ...copiedFiles,
    ])
      files[name] = await describeFile(join(folder, name));
    const manifest = {
      version,
      build: readBuildId(config.panelDir ?? fileURLToPath(new URL('../../dist', import.meta.url))),
      time: databaseSnapshot.time,
      database: client.database ?? '',
      postgres: { server, dump: dumpVersion },
      migrations: toMigrationRecords(applied),
      ...(statistics && { statistics }),
      rows: databaseSnapshot.rows,
      heads: headCount,
      missingPictures,
      files,
    };
    writeManifest(folder, manifest);
    const maintenanceProblem = await recordMaintenance(client, 'backup', true);
    if (maintenanceProblem !== null)
      console.error(`The time of this backup was not recorded, so the alert BackupOld will fire: ${maintenanceProblem}.`);
    return { ...manifest, statisticsProblem: statisticsPart instanceof StartError ? statisticsPart.message : null };
  } finally {
    await client?.end().catch(() => {});
    await source.close();
  }
}

const toMigrationRecords = (applied: readonly AppliedMigration[]): Manifest['migrations'] =>
  applied.map(({ number, name, hash, version: appliedVersion, oldestVersion }) => ({
    number,
    name,
    hash,
    version: appliedVersion,
    oldestVersion,
  }));

/** Null if visits are in the panel's database. Throws StartError. */
async function dumpStatistics(config: Config, file: string): Promise<Manifest['statistics'] | null> {
  const source = statisticsSource(config);
  if (!source) return null;
  const client = await source.connect('backup');
  try {
    const env = programEnvironment(client, source.url);
    const server = await serverVersion(client);
    const dumpVersion = await requireProgram('pg_dump', server, env);
    const { applied } = await readSchemaStatus(client, readStatisticsSchema());
    if (applied.length === 0) throw new StartError('The statistics database has no tables. Check STATISTICS_DATABASE_URL.');
    await client.query('begin isolation level repeatable read read only');
    await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const { rows } = await client.query<{ snapshot: string; visits: string }>(
      `select pg_export_snapshot() as snapshot, ${visitSumSql} as visits`,
    );
    await dumpDatabase(file, rows[0]?.snapshot ?? '', env, ['--extension=plpgsql']);
    await client.query('commit');
    return { postgres: { server, dump: dumpVersion }, migrations: toMigrationRecords(applied), visits: rows[0]?.visits ?? '0' };
  } finally {
    await client.end().catch(() => {});
    await source.close();
  }
}

/** Others could read or replace a shared folder. */
async function requireEmptyFolder(folder: string): Promise<void> {
  const owner = await stat(folder).then(
    ({ uid }) => uid,
    () => null,
  );
  if (owner !== null && owner !== process.getuid?.())
    throw new StartError(`${folder} belongs to another user. Choose a new folder.`);
  const entries = await readdir(folder).catch((error: unknown) => {
    if (getDatabaseErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
  if (entries.length > 0) throw new StartError(`${folder} isn’t empty. Choose a new folder.`);
}

/** Whole lines only, because a server may be writing. Returns the count. */
async function copyHeads(from: string, targetFile: string): Promise<number> {
  const text = await readFile(from, 'utf8').catch((error: unknown) => {
    if (getDatabaseErrorCode(error) === 'ENOENT') return '';
    throw error;
  });
  const lines = text.slice(0, text.lastIndexOf('\n') + 1);
  if (lines === '') return 0;
  await writeFile(targetFile, lines, { mode: 0o600, flag: 'wx', flush: true });
  return lines.split('\n').length - 1;
}

async function openSnapshot(client: pg.Client) {
  await client.query('begin isolation level repeatable read read only');
  await client.query('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query<{ snapshot: string; time: Date; audit: string; authority: string }>(
    `select pg_export_snapshot() as snapshot, now() as time, (select count(*) from audit) as audit,
       (select count(*) from authority_lines) as authority`,
  );
  const { rows: pictures } = await client.query<{ id: string }>('select id from pictures order by id');
  const [snapshotRow] = rows;
  if (!snapshotRow) throw new Error('the database gave no snapshot');
  return {
    snapshot: snapshotRow.snapshot,
    time: snapshotRow.time.toISOString(),
    rows: { audit: Number(snapshotRow.audit), authority: Number(snapshotRow.authority), pictures: pictures.length },
    pictureIds: pictures.map(({ id }) => id),
  };
}

async function copyPictures(store: PictureStore, ids: readonly string[], folder: string): Promise<string[]> {
  const missingIds: string[] = [];
  await runInBatches(ids, async (id) => {
    const bytes = await store.get(id);
    if (bytes === null) missingIds.push(id);
    else await writeFile(join(folder, pictureFileName(id)), bytes, { mode: 0o600, flag: 'wx', flush: true });
  });
  return missingIds.toSorted();
}
