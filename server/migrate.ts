import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from './platform/core/config.ts';
import { createLogger } from './platform/core/log.ts';
import { escapeControls } from './platform/core/redact.ts';
import { StartError } from './platform/core/start-error.ts';
import { version } from './platform/core/version.ts';
import { openDatabase } from './platform/db/db.ts';
import type { SchemaStatus } from './platform/db/migrations.ts';
import { startPostgres } from './platform/db/postgres.ts';
import { serverGrants, statisticsGrants } from './platform/db/server-grants.ts';
import { requireUsable } from './statistics/shared/database-checks.ts';

const usage = `migrate [--status | --grants ROLE | --statistics-grants ROLE]
  applies the migrations that the databases in DATABASE_URL and STATISTICS_DATABASE_URL lack, as the users in those URLs
  --status                  lists the migrations, and exits with 3 if some are pending
  --grants ROLE             prints the SQL that lets the server work as ROLE, which owns no table
  --statistics-grants ROLE  prints the same for the database in STATISTICS_DATABASE_URL`;

/** npm run migrate: migrates without starting the server. */
async function main(): Promise<number> {
  const { status: onlyStatus, grants, 'statistics-grants': ofStatistics } = readArguments();
  const role = grants ?? ofStatistics;
  if (role !== undefined) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(role))
      throw new StartError('--grants needs the name of a database role, for example panel');
    console.log(grants === undefined ? statisticsGrants(role) : serverGrants(role));
    return 0;
  }
  const config = readConfig();
  const log = createLogger({ level: 'warn' });
  const embedded = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const database = openDatabase({
    url: embedded?.url ?? config.databaseUrl ?? '',
    directUrl: config.databaseDirectUrl,
    statisticsUrl: config.statisticsDatabaseUrl,
    log,
  });
  const { statistics } = database;
  try {
    const applied = onlyStatus ? 'pending' : `applied now by ${version}`;
    const status = await (onlyStatus ? database.schemaStatus() : database.migrate());
    console.log(report(status, applied));
    if (!statistics.isSeparate) return onlyStatus && isPending(status) ? 3 : 0;
    await requireUsable(database);
    const ofStatistics = await (onlyStatus ? statistics.schemaStatus() : statistics.migrate());
    console.log(`\nStatistics database ${statistics.place}:\n${report(ofStatistics, applied)}`);
    return onlyStatus && (isPending(status) || isPending(ofStatistics)) ? 3 : 0;
  } finally {
    await database.close();
    await embedded?.stop();
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
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}

function report({ applied, pending, changedSql, newerVersion }: SchemaStatus, ofPending: string): string {
  const rows = [
    ...applied.map((row) => [row.name, `applied ${row.appliedAt.toISOString().slice(0, 10)} by ${row.version}`] as const),
    ...pending.map((row) => [row.name, ofPending] as const),
    ...changedSql.map((row) => [`server/sql/${row.name}`, ofPending] as const),
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
