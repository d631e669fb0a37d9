import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from './platform/core/config.ts';
import { createLogger } from './platform/core/log.ts';
import { escapeControls } from './platform/core/redact.ts';
import { StartError } from './platform/core/start-error.ts';
import { version } from './platform/core/version.ts';
import { openDatabase } from './platform/db/db.ts';
import type { SchemaStatus } from './platform/db/migrations.ts';
import { startPostgres } from './platform/db/postgres.ts';
import { buildServerGrants, buildStatisticsGrants } from './platform/db/server-grants.ts';
import { requireUsableDatabase } from './statistics/shared/database-checks.ts';

const usageText = `migrate [--status | --grants ROLE | --statistics-grants ROLE]
  applies the migrations that the databases in DATABASE_URL and STATISTICS_DATABASE_URL lack, as the users in those URLs
  --status                  lists the migrations, and exits with 3 if some are pending
  --grants ROLE             prints the SQL that lets the server work as ROLE, which owns no table
  --statistics-grants ROLE  prints the same for the database in STATISTICS_DATABASE_URL`;

/** npm run migrate: migrates without starting the server. */
async function main(): Promise<number> {
  const { status: onlyStatus, grants, 'statistics-grants': statisticsRole } = readArguments();
  const role = grants ?? statisticsRole;
  if (role !== undefined) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(role))
      throw new StartError('--grants needs the name of a database role, for example panel');
    console.log(grants === undefined ? buildStatisticsGrants(role) : buildServerGrants(role));
    return 0;
  }
  const config = readConfig();
  const log = createLogger({ level: 'warn' });
  const embeddedPostgres = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const database = openDatabase({
    url: embeddedPostgres?.url ?? config.databaseUrl ?? '',
    directUrl: config.databaseDirectUrl,
    statisticsUrl: config.statisticsDatabaseUrl,
    log,
  });
  const { statistics } = database;
  try {
    const appliedLabel = onlyStatus ? 'pending' : `applied now by ${version}`;
    const status = await (onlyStatus ? database.schemaStatus() : database.migrate());
    console.log(report(status, appliedLabel));
    if (!statistics.isSeparate) return onlyStatus && isPending(status) ? 3 : 0;
    await requireUsableDatabase(database);
    const statisticsStatus = await (onlyStatus ? statistics.schemaStatus() : statistics.migrate());
    console.log(`\nStatistics database ${statistics.place}:\n${report(statisticsStatus, appliedLabel)}`);
    return onlyStatus && (isPending(status) || isPending(statisticsStatus)) ? 3 : 0;
  } finally {
    await database.close();
    await embeddedPostgres?.stop();
  }
}

const isPending = ({ pending, changedSql }: SchemaStatus) => pending.length > 0 || changedSql.length > 0;

function readArguments() {
  try {
    return parseArgs({
      options: {
        status: { type: 'boolean', default: false },
        grants: { type: 'string' },
        'statistics-grants': { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n${usageText}`);
  }
}

function report({ applied, pending, changedSql, newerVersion }: SchemaStatus, pendingLabel: string): string {
  const rows = [
    ...applied.map((row) => [row.name, `applied ${row.appliedAt.toISOString().slice(0, 10)} by ${row.version}`] as const),
    ...pending.map((row) => [row.name, pendingLabel] as const),
    ...changedSql.map((row) => [`server/sql/${row.name}`, pendingLabel] as const),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    ...rows.map(([name, state]) => `${name.padEnd(width)}  ${state}`),
    newerVersion === null
      ? `This is version ${version}.`
      : `This is version ${version}. Version ${newerVersion} has upgraded the database, and this version can use it.`,
  ].join('\n');
}

try {
  process.exitCode = await main();
} catch (error) {
  if (error instanceof StartError || error instanceof ConfigError) console.error(error.message);
  else console.error(escapeControls(error));
  process.exitCode = 1;
}
