import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from './platform/core/config.ts';
import { createLog } from './platform/core/log.ts';
import { printable } from './platform/core/redact.ts';
import { StartError } from './platform/core/start-error.ts';
import { version } from './platform/core/version.ts';
import { openDatabase } from './platform/db/db.ts';
import type { SchemaStatus } from './platform/db/migrations.ts';
import { startPostgres } from './platform/db/postgres.ts';
import { serverGrants } from './platform/db/server-grants.ts';

const usage = `migrate [--status | --grants ROLE]
  applies the migrations that the database in DATABASE_URL lacks, as the user in that URL
  --status        lists the migrations, and exits with 3 if some are pending
  --grants ROLE   prints the SQL that lets the server work as ROLE, which owns no table`;

/** npm run migrate: migrates without starting the server. */
async function main(): Promise<number> {
  const { status: onlyStatus, grants } = readArguments();
  if (grants !== undefined) {
    if (!/^[a-z_][a-z0-9_]{0,62}$/.test(grants))
      throw new StartError('--grants needs the name of a database role, for example panel');
    console.log(serverGrants(grants));
    return 0;
  }
  const config = readConfig();
  const log = createLog({ level: 'warn' });
  const own = config.databaseUrl === null ? await startPostgres({ dataDir: config.dataDir }) : null;
  const database = openDatabase({ url: own?.url ?? config.databaseUrl ?? '', directUrl: config.databaseDirectUrl, log });
  try {
    const status = await (onlyStatus ? database.schemaStatus() : database.migrate());
    console.log(report(status, onlyStatus ? 'pending' : `applied now by ${version}`));
    return onlyStatus && (status.pending.length > 0 || status.changedSql.length > 0) ? 3 : 0;
  } finally {
    await database.close();
    await own?.stop();
  }
}

function readArguments() {
  try {
    return parseArgs({ options: { status: { type: 'boolean', default: false }, grants: { type: 'string' } } }).values;
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
  else console.error(printable(error));
  process.exitCode = 1;
}
