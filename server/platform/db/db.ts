import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { getDatabaseErrorCode } from '../core/error-code.ts';
import { describeError, type Log } from '../core/log.ts';
import { StartError } from '../core/start-error.ts';
import { clockTolerance, databaseTime, describeOffset, computeOffset } from './clock-offset.ts';
import { describeConnectionProblem, describePoolerProblem } from './connection-problem.ts';
import { createConnector, type Connector } from './connector.ts';
import { compareVersions } from '../core/version.ts';
import { withAdvisoryLock } from './advisory-lock.ts';
import {
  historyTablesOf,
  migrateSchema,
  readPanelSchema,
  isUnverifiedSql,
  readSchemaStatus,
  readStatisticsSchema,
  listTables,
  type SchemaFiles,
  type SchemaStatus,
} from './migrations.ts';
import { ObservedClient } from './observed-client.ts';
import { openReplica, type Replica } from './replica.ts';
import { lacksServerGrantsSql } from './server-grants.ts';
import { parseDatabaseHosts, isLocalDatabase, describeHosts } from '../core/database-url.ts';
import { TransactionClient } from './transaction-client.ts';

export type Db = NodePgDatabase;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
export type Queries = Db | Tx;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  readonly counts: Db;
  readonly replica: Replica | null;
  /** Outside the pool. The caller ends it. */
  connect(): Promise<pg.Client>;
  /** Under a lock. Returns the status before. */
  migrate(): Promise<SchemaStatus>;
  schemaStatus(): Promise<SchemaStatus>;
  /** Null if usable. Rejects if unreachable. */
  schemaProblem(): Promise<string | null>;
  /** Null if ready. Rejects if unreachable. */
  readinessProblem(): Promise<string | null>;
  /** Milliseconds this process is ahead. */
  clockOffset(): Promise<number>;
  close(): Promise<void>;
  /** Where the visits and their roll-ups are. No transaction spans both. */
  readonly statistics: StatisticsDatabase;
}

export interface StatisticsDatabase extends Omit<Database, 'statistics'> {
  /** False: the tables are in the panel's database. */
  readonly isSeparate: boolean;
  /** Hosts, ports and name, without user and password. */
  readonly place: string;
  /** Why a connection failed, in one line. */
  problemOf(error: unknown): StartError | null;
  /** Whether Citus spreads the tables over several machines. */
  isDistributed(): Promise<boolean>;
}

/** Milliseconds. */
const timeouts = { statement: 5_000, lock: 2_000, idleInTransaction: 10_000, connect: 3_000, count: 250 };

interface DatabaseOptions {
  url: string;
  directUrl?: string | null;
  readUrl?: string | null;
  /** Null: statistics stay in this database. */
  statisticsUrl?: string | null;
  log: Log;
  connections?: number;
  countMs?: number;
  schema?: SchemaFiles;
  clock?: () => number;
}

export function openDatabase({ statisticsUrl = null, ...options }: DatabaseOptions): Database {
  const panelDatabase = openSingleDatabase(options);
  const describeUrl = (url: string, variable: string) => ({
    place: describeHosts(url),
    problemOf: (error: unknown) => describeConnectionProblem(error, url, variable),
  });
  if (statisticsUrl === null) {
    const panelUrl = describeUrl(options.url, 'DATABASE_URL');
    return {
      ...panelDatabase,
      statistics: { ...panelDatabase, ...panelUrl, isSeparate: false, isDistributed: () => Promise.resolve(false) },
    };
  }
  const { log, connections, countMs } = options;
  const statistics = openSingleDatabase({
    url: statisticsUrl,
    log,
    schema: readStatisticsSchema(),
    ...(connections !== undefined && { connections }),
    ...(countMs !== undefined && { countMs }),
  });
  let isDistributedCache: boolean | undefined;
  return {
    ...panelDatabase,
    statistics: {
      ...statistics,
      ...describeUrl(statisticsUrl, 'STATISTICS_DATABASE_URL'),
      isSeparate: true,
      isDistributed: async () => (isDistributedCache ??= await hasDistributedVisits(statistics.pool)),
    },
    close: async () => {
      await Promise.all([panelDatabase.close(), statistics.close()]);
    },
  };
}

const urlVariableOf = ({ of }: SchemaFiles) => (of === 'panel' ? 'DATABASE_URL' : 'STATISTICS_DATABASE_URL');

async function hasDistributedVisits(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ citus: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as citus`,
  );
  if (!rows[0]?.citus) return false;
  const { rowCount } = await pool.query(`select from pg_dist_partition where logicalrelid = to_regclass('visits')`);
  return (rowCount ?? 0) > 0;
}

function openSingleDatabase({
  url,
  directUrl = null,
  readUrl = null,
  log,
  connections = 10,
  countMs = timeouts.count,
  schema = readPanelSchema(),
  clock = Date.now,
}: Omit<DatabaseOptions, 'statisticsUrl'>): Omit<Database, 'statistics'> {
  const variable = urlVariableOf(schema);
  const connector = createConnector(url, log);
  const directConnector = directUrl === null ? connector : createConnector(directUrl, log);
  const newPool = (connector: Connector, Client: typeof pg.Client, max: number, statement: number) => {
    const options = {
      max,
      connectionTimeoutMillis: timeouts.connect,
      idleTimeoutMillis: 30_000,
      statement_timeout: statement,
      lock_timeout: timeouts.lock,
      idle_in_transaction_session_timeout: timeouts.idleInTransaction,
      application_name: 'admin-panel',
    };
    const pool = connector.newPool(options, Client);
    // An unhandled error event ends the process. Clients emit it between the queries of a transaction.
    pool.on('error', (error) => log.warn({ err: describeError(error) }, 'database connection lost'));
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };
  const Client = directUrl === null ? ObservedClient : (TransactionClient as typeof pg.Client);
  const pool = newPool(connector, Client, connections, timeouts.statement);
  const countPool = newPool(connector, Client, 2, countMs);
  const standbyPool =
    readUrl === null ? null : newPool(createConnector(readUrl, log), ObservedClient, connections, timeouts.statement);
  const replica = standbyPool && openReplica(standbyPool, pool, log);
  const connectForPurpose = async (purpose: string) => {
    const client = directConnector.newClient({
      connectionTimeoutMillis: timeouts.connect,
      application_name: `admin-panel ${purpose}`,
    });
    await client.connect();
    return client;
  };
  const throwExplained = (error: unknown): never => {
    throw describeConnectionProblem(error, directUrl ?? url, directUrl === null ? variable : 'DATABASE_DIRECT_URL') ?? error;
  };

  const newestKnownMigration = schema.migrations.at(-1)?.number ?? 0;
  const tables = listTables(schema);
  const readSchemaState = async () => {
    const sentAt = clock();
    const { rows } = await pool
      .query<{ newest: number | null; needs: string[] | null; now: string; unverified: boolean; lacksGrants: boolean }>(
        `select max(number) as newest, array_agg(oldest_version) filter (where number > $1 and oldest_version is not null) as needs,
           ${databaseTime} as now, ${isUnverifiedSql} as unverified, ${lacksServerGrantsSql('$2')} as "lacksGrants" from ${historyTablesOf(schema).migrations}`,
        [newestKnownMigration, tables],
      )
      .catch((error: unknown) => {
        if (getDatabaseErrorCode(error) === '42501') return { rows: null };
        throw error;
      });
    if (rows === null)
      return {
        problem: 'the database role lacks grants: run migrate --grants ROLE (for a signer: signer --grants ROLE)',
        lacksGrants: false,
        offset: 0,
      };
    const newestApplied = rows[0]?.newest ?? -1;
    const requiredVersion = rows[0]?.needs?.find((version) => compareVersions(schema.version, version) < 0);
    const schemaProblem = rows[0]?.unverified
      ? 'the database was restored, but the restore was not verified as sound'
      : newestApplied < newestKnownMigration
        ? 'the database lacks a migration'
        : requiredVersion === undefined
          ? null
          : `the database was upgraded, and this build is older than version ${requiredVersion}`;
    // Tables of a newer version are not this server's.
    const lacksGrants = newestApplied === newestKnownMigration && rows[0]?.lacksGrants === true;
    return { problem: schemaProblem, lacksGrants, offset: computeOffset(sentAt, clock(), Number(rows[0]?.now)) };
  };

  return {
    db: addTransactions(drizzle(pool), pool),
    pool,
    counts: drizzle(countPool),
    replica,
    connect: () => connectForPurpose('export'),
    migrate: async () => {
      const status = await withAdvisoryLock(
        () => connectForPurpose('migrate'),
        'migrate',
        async (client) => {
          await requireSupportedServer(client);
          await requireUtf8(client);
          await warnIfUnencrypted(client, directUrl ?? url, variable, log);
          return migrateSchema(client, schema, log);
        },
      ).catch(throwExplained);
      await requireTimeouts(pool, variable).catch((error: unknown) => {
        throw describeConnectionProblem(error, url, variable) ?? error;
      });
      return status;
    },
    schemaStatus: async () => {
      const client = await connectForPurpose('status').catch(throwExplained);
      try {
        return await readSchemaStatus(client, schema);
      } finally {
        await client.end();
      }
    },
    schemaProblem: async () => (await readSchemaState()).problem,
    readinessProblem: async () => {
      const { problem, lacksGrants, offset } = await readSchemaState();
      if (problem !== null) return problem;
      if (lacksGrants) return 'the database role lacks grants: run migrate --grants ROLE (for a signer: signer --grants ROLE)';
      return Math.abs(offset) > clockTolerance ? `the clock of this server ${describeOffset(offset)}` : null;
    },
    clockOffset: async () => {
      const sentAt = clock();
      const { rows } = await pool.query<{ now: string }>(`select ${databaseTime} as now`);
      return computeOffset(sentAt, clock(), Number(rows[0]?.now));
    },
    close: async () => {
      connector.close();
      directConnector.close();
      await replica?.close();
      await Promise.all([pool.end(), countPool.end()]);
    },
  };
}

/** Drizzle leaks the connection if `begin` fails and reuses broken ones. Here a suspect connection is closed. */
function addTransactions(db: Db, pool: pg.Pool): Db {
  db.transaction = async (transactionEffect, config) => {
    const client = await pool.connect();
    let connectionError: Error | undefined;
    // An unhandled error event ends the process.
    const onError = (error: Error) => (connectionError = error);
    client.on('error', onError);
    try {
      return await drizzle(client).transaction(transactionEffect, config);
    } catch (error) {
      await client.query('rollback').catch((rollbackError: Error) => (connectionError ??= rollbackError));
      if (getDatabaseErrorCode(error) === '25006') connectionError ??= new Error('the host no longer accepts writes');
      throw error;
    } finally {
      client.off('error', onError);
      client.release(connectionError);
    }
  };
  return db;
}

/** A pooler may drop the timeouts. */
async function requireTimeouts(pool: pg.Pool, variable: string): Promise<void> {
  const { rows } = await pool.query<{ ms: string }>("select current_setting('statement_timeout') as ms");
  if (rows[0]?.ms !== `${timeouts.statement / 1000}s`)
    throw new StartError(describePoolerProblem('that drops statement_timeout', variable));
}

/** Throws StartError unless the encoding holds Chinese. */
async function requireUtf8(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    "select current_database() as name, current_setting('server_encoding') as encoding",
  );
  if (rows[0] && rows[0].encoding !== 'UTF8')
    throw new StartError(
      `The database ${rows[0].name} uses the encoding ${rows[0].encoding}, but the panel needs UTF8. Create it with: CREATE DATABASE … ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0.`,
    );
}

/** Warns of plaintext to other machines. */
async function warnIfUnencrypted(client: pg.Client, url: string, variable: string, log: Log): Promise<void> {
  if (isLocalDatabase(url)) return;
  const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  if (rows[0]?.ssl === false)
    log.warn(
      { hosts: parseDatabaseHosts(url).names },
      `the connection to the database is not encrypted: add sslmode=verify-full to ${variable}`,
    );
}

async function requireSupportedServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  if (Number(rows[0]?.number) < oldestSupportedServer * 10_000)
    throw new StartError(
      `The database runs PostgreSQL ${rows[0]?.version}, but the panel needs ${oldestSupportedServer} or newer. Upgrade it.`,
    );
}

const oldestSupportedServer = 14;
