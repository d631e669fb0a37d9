import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { codeOf } from '../core/error-code.ts';
import { describeError, type Log } from '../core/log.ts';
import { StartError } from '../core/start-error.ts';
import { clockTolerance, databaseTime, describeOffset, offsetBetween } from './clock-offset.ts';
import { connectionProblem, poolerProblem } from './connection-problem.ts';
import { connectorTo, type Connector } from './connector.ts';
import { compareVersions } from '../core/version.ts';
import { withAdvisoryLock } from './advisory-lock.ts';
import {
  historyTablesOf,
  migrateSchema,
  ownSchema,
  isUnverified,
  readSchemaStatus,
  statisticsSchema,
  tablesOf,
  type SchemaFiles,
  type SchemaStatus,
} from './migrations.ts';
import { ObservedClient } from './observed-client.ts';
import { openReplica, type Replica } from './replica.ts';
import { lacksServerGrantsOn } from './server-grants.ts';
import { databaseHosts, isOnThisMachine, placeOf } from '../core/database-url.ts';
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
const clocks = { statement: 5_000, lock: 2_000, idleInTransaction: 10_000, connect: 3_000, count: 250 };

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
  const panel = openOne(options);
  const aboutUrl = (url: string, variable: string) => ({
    place: placeOf(url),
    problemOf: (error: unknown) => connectionProblem(error, url, variable),
  });
  if (statisticsUrl === null) {
    const about = aboutUrl(options.url, 'DATABASE_URL');
    return { ...panel, statistics: { ...panel, ...about, isSeparate: false, isDistributed: () => Promise.resolve(false) } };
  }
  const { log, connections, countMs } = options;
  const statistics = openOne({
    url: statisticsUrl,
    log,
    schema: statisticsSchema(),
    ...(connections !== undefined && { connections }),
    ...(countMs !== undefined && { countMs }),
  });
  let distributed: boolean | undefined;
  return {
    ...panel,
    statistics: {
      ...statistics,
      ...aboutUrl(statisticsUrl, 'STATISTICS_DATABASE_URL'),
      isSeparate: true,
      isDistributed: async () => (distributed ??= await hasDistributedVisits(statistics.pool)),
    },
    close: async () => {
      await Promise.all([panel.close(), statistics.close()]);
    },
  };
}

const variableOf = ({ of }: SchemaFiles) => (of === 'panel' ? 'DATABASE_URL' : 'STATISTICS_DATABASE_URL');

async function hasDistributedVisits(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ citus: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as citus`,
  );
  if (!rows[0]?.citus) return false;
  const { rowCount } = await pool.query(`select from pg_dist_partition where logicalrelid = to_regclass('visits')`);
  return (rowCount ?? 0) > 0;
}

function openOne({
  url,
  directUrl = null,
  readUrl = null,
  log,
  connections = 10,
  countMs = clocks.count,
  schema = ownSchema(),
  clock = Date.now,
}: Omit<DatabaseOptions, 'statisticsUrl'>): Omit<Database, 'statistics'> {
  const variable = variableOf(schema);
  const connector = connectorTo(url, log);
  const direct = directUrl === null ? connector : connectorTo(directUrl, log);
  const newPool = (to: Connector, Client: typeof pg.Client, max: number, statement: number) => {
    const options = {
      max,
      connectionTimeoutMillis: clocks.connect,
      idleTimeoutMillis: 30_000,
      statement_timeout: statement,
      lock_timeout: clocks.lock,
      idle_in_transaction_session_timeout: clocks.idleInTransaction,
      application_name: 'admin-panel',
    };
    const pool = to.newPool(options, Client);
    // An unhandled error event ends the process. Clients emit it between the queries of a transaction.
    pool.on('error', (error) => log.warn({ err: describeError(error) }, 'database connection lost'));
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };
  const Client = directUrl === null ? ObservedClient : (TransactionClient as typeof pg.Client);
  const pool = newPool(connector, Client, connections, clocks.statement);
  const countPool = newPool(connector, Client, 2, countMs);
  const standby = readUrl === null ? null : newPool(connectorTo(readUrl, log), ObservedClient, connections, clocks.statement);
  const replica = standby && openReplica(standby, pool, log);
  const connectAs = async (what: string) => {
    const client = direct.newClient({ connectionTimeoutMillis: clocks.connect, application_name: `admin-panel ${what}` });
    await client.connect();
    return client;
  };
  const explain = (error: unknown): never => {
    throw connectionProblem(error, directUrl ?? url, directUrl === null ? variable : 'DATABASE_DIRECT_URL') ?? error;
  };

  const own = schema.migrations.at(-1)?.number ?? 0;
  const tables = tablesOf(schema);
  const readSchema = async () => {
    const sentAt = clock();
    const { rows } = await pool
      .query<{ newest: number | null; needs: string[] | null; now: string; unverified: boolean; lacksGrants: boolean }>(
        `select max(number) as newest, array_agg(oldest_version) filter (where number > $1 and oldest_version is not null) as needs,
           ${databaseTime} as now, ${isUnverified} as unverified, ${lacksServerGrantsOn('$2')} as "lacksGrants" from ${historyTablesOf(schema).migrations}`,
        [own, tables],
      )
      .catch((error: unknown) => {
        if (codeOf(error) === '42501') return { rows: null };
        throw error;
      });
    if (rows === null)
      return {
        problem: 'the database role lacks grants: run migrate --grants ROLE (for a signer: signer --grants ROLE)',
        lacksGrants: false,
        offset: 0,
      };
    const newest = rows[0]?.newest ?? -1;
    const needed = rows[0]?.needs?.find((version) => compareVersions(schema.version, version) < 0);
    const problem = rows[0]?.unverified
      ? 'the database was restored, but the restore was not verified as sound'
      : newest < own
        ? 'the database lacks a migration'
        : needed === undefined
          ? null
          : `the database was upgraded, and this build is older than version ${needed}`;
    // Tables of a newer version are not this server's.
    const lacksGrants = newest === own && rows[0]?.lacksGrants === true;
    return { problem, lacksGrants, offset: offsetBetween(sentAt, clock(), Number(rows[0]?.now)) };
  };

  return {
    db: withTransactions(drizzle(pool), pool),
    pool,
    counts: drizzle(countPool),
    replica,
    connect: () => connectAs('export'),
    migrate: async () => {
      const status = await withAdvisoryLock(
        () => connectAs('migrate'),
        'migrate',
        async (client) => {
          await refuseOldServers(client);
          await refuseOtherEncodings(client);
          await warnAboutPlaintext(client, directUrl ?? url, variable, log);
          return migrateSchema(client, schema, log);
        },
      ).catch(explain);
      await refuseWithoutClocks(pool, variable).catch((error: unknown) => {
        throw connectionProblem(error, url, variable) ?? error;
      });
      return status;
    },
    schemaStatus: async () => {
      const client = await connectAs('status').catch(explain);
      try {
        return await readSchemaStatus(client, schema);
      } finally {
        await client.end();
      }
    },
    schemaProblem: async () => (await readSchema()).problem,
    readinessProblem: async () => {
      const { problem, lacksGrants, offset } = await readSchema();
      if (problem !== null) return problem;
      if (lacksGrants) return 'the database role lacks grants: run migrate --grants ROLE (for a signer: signer --grants ROLE)';
      return Math.abs(offset) > clockTolerance ? `the clock of this server ${describeOffset(offset)}` : null;
    },
    clockOffset: async () => {
      const sentAt = clock();
      const { rows } = await pool.query<{ now: string }>(`select ${databaseTime} as now`);
      return offsetBetween(sentAt, clock(), Number(rows[0]?.now));
    },
    close: async () => {
      connector.close();
      direct.close();
      await replica?.close();
      await Promise.all([pool.end(), countPool.end()]);
    },
  };
}

/** Drizzle leaks the connection if `begin` fails and reuses broken ones. Here a suspect connection is closed. */
function withTransactions(db: Db, pool: pg.Pool): Db {
  db.transaction = async (effect, config) => {
    const client = await pool.connect();
    let unwell: Error | undefined;
    // An unhandled error event ends the process.
    const onError = (error: Error) => (unwell = error);
    client.on('error', onError);
    try {
      return await drizzle(client).transaction(effect, config);
    } catch (error) {
      await client.query('rollback').catch((lost: Error) => (unwell ??= lost));
      if (codeOf(error) === '25006') unwell ??= new Error('the host no longer accepts writes');
      throw error;
    } finally {
      client.off('error', onError);
      client.release(unwell);
    }
  };
  return db;
}

/** A pooler may drop the timeouts. */
async function refuseWithoutClocks(pool: pg.Pool, variable: string): Promise<void> {
  const { rows } = await pool.query<{ ms: string }>("select current_setting('statement_timeout') as ms");
  if (rows[0]?.ms !== `${clocks.statement / 1000}s`)
    throw new StartError(poolerProblem('that drops statement_timeout', variable));
}

/** Throws StartError unless the encoding holds Chinese. */
async function refuseOtherEncodings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    "select current_database() as name, current_setting('server_encoding') as encoding",
  );
  if (rows[0] && rows[0].encoding !== 'UTF8')
    throw new StartError(
      `The database ${rows[0].name} uses the encoding ${rows[0].encoding}, but the panel needs UTF8. Create it with: CREATE DATABASE … ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0.`,
    );
}

/** Warns of plaintext to other machines. */
async function warnAboutPlaintext(client: pg.Client, url: string, variable: string, log: Log): Promise<void> {
  if (isOnThisMachine(url)) return;
  const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  if (rows[0]?.ssl === false)
    log.warn(
      { hosts: databaseHosts(url).names },
      `the connection to the database is not encrypted: add sslmode=verify-full to ${variable}`,
    );
}

async function refuseOldServers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  );
  if (Number(rows[0]?.number) < oldestServer * 10_000)
    throw new StartError(
      `The database runs PostgreSQL ${rows[0]?.version}, but the panel needs ${oldestServer} or newer. Upgrade it.`,
    );
}

const oldestServer = 14;
