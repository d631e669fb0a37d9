import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { codeOf } from '../core/error-code.ts';
import { describeError, type Log } from '../core/log.ts';
import { StartError } from '../core/start-error.ts';
import { clockTolerance, databaseTime, describeOffset, offsetBetween } from './clock-offset.ts';
import { connectionProblem, poolerProblem } from './connection-problem.ts';
import { connectorTo, type Connector } from './connector.ts';
import { compareVersions } from '../core/version.ts';
import { inTurn } from './in-turn.ts';
import {
  migrateSchema,
  ownSchema,
  isUnverified,
  readSchemaStatus,
  tablesOf,
  type SchemaFiles,
  type SchemaStatus,
} from './migrations.ts';
import { drizzleOn, noteClient } from './named.ts';
import { openReplica, type Replica } from './replica.ts';
import { lacksServerGrantsOn } from './server-grants.ts';
import { databaseHosts, isOnThisMachine } from './url.ts';
import { TransactionClient } from './transaction-client.ts';

export type Db = NodePgDatabase;
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** Where a query may run: outside or inside a transaction. */
export type Queries = Db | Tx;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** A few connections with a short clock, for counts that may be given up. */
  readonly counts: Db;
  /** A standby for statistics; null: none is named. */
  readonly replica: Replica | null;
  /** A connection outside the pool, for what takes long and must not hold up the rest. The caller ends it. */
  connect(): Promise<pg.Client>;
  /** Applies the migrations that are missing, under a lock: several processes may start at once. Answers how it was before. */
  migrate(): Promise<SchemaStatus>;
  /** Which migrations the database has. Changes nothing. */
  schemaStatus(): Promise<SchemaStatus>;
  /** Why this build cannot use the schema; null: it can. Rejects if the database can't be reached. */
  schemaProblem(): Promise<string | null>;
  /** Why a server on this database may not serve, for operators; null: it may. Rejects if the database does not answer. */
  readinessProblem(): Promise<string | null>;
  /** Milliseconds that this process's clock is ahead of the database's. Negative: behind. */
  clockOffset(): Promise<number>;
  close(): Promise<void>;
}

/** How long the database may take, in milliseconds: a query, a lock, an idle transaction, a connection. */
const clocks = { statement: 5_000, lock: 2_000, idleInTransaction: 10_000, connect: 3_000, count: 250 };

interface DatabaseOptions {
  url: string;
  /** Past the pooler that `url` leads to, which gives its sessions for one transaction only; null: there is none. */
  directUrl?: string | null;
  /** A standby of it. */
  readUrl?: string | null;
  log: Log;
  connections?: number;
  /** How long a count may take before it is given up. */
  countMs?: number;
  /** For tests; by default the files of this build. */
  schema?: SchemaFiles;
  /** This machine's clock in milliseconds. For tests. */
  clock?: () => number;
}

/** Opens a pool on the database. Nothing is connected before the first query. */
export function openDatabase({
  url,
  directUrl = null,
  readUrl = null,
  log,
  connections = 10,
  countMs = clocks.count,
  schema = ownSchema(),
  clock = Date.now,
}: DatabaseOptions): Database {
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
    // Without a listener a lost connection ends the process: the pool hears of idle ones, the client of those between
    // two queries of a transaction, where nobody waits for an answer.
    pool.on('error', (error) => log.warn({ err: describeError(error) }, 'database connection lost'));
    pool.on('connect', (client) => client.on('error', () => {}));
    return pool;
  };
  const Client = directUrl === null ? pg.Client : (TransactionClient as typeof pg.Client);
  const pool = newPool(connector, Client, connections, clocks.statement);
  const countPool = newPool(connector, Client, 2, countMs);
  const standby = readUrl === null ? null : newPool(connectorTo(readUrl, log), pg.Client, connections, clocks.statement);
  const replica = standby && openReplica(standby, pool, log);
  const connectAs = async (what: string) => {
    const client = direct.newClient({ connectionTimeoutMillis: clocks.connect, application_name: `admin-panel ${what}` });
    await client.connect();
    return client;
  };
  const explain = (error: unknown): never => {
    throw connectionProblem(error, directUrl ?? url, directUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL') ?? error;
  };

  const own = schema.migrations.at(-1)?.number ?? 0;
  const tables = tablesOf(schema);
  const readSchema = async () => {
    const asked = clock();
    const { rows } = await pool
      .query<{ newest: number | null; needs: string[] | null; now: string; unverified: boolean; lacksGrants: boolean }>(
        `select max(number) as newest, array_agg(oldest_version) filter (where number > $1 and oldest_version is not null) as needs,
           ${databaseTime} as now, ${isUnverified} as unverified, ${lacksServerGrantsOn('$2')} as "lacksGrants" from schema_history.migrations`,
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
    return { problem, lacksGrants, offset: offsetBetween(asked, clock(), Number(rows[0]?.now)) };
  };

  return {
    db: withTransactions(drizzle(pool), pool),
    pool,
    counts: drizzle(countPool),
    replica,
    connect: () => connectAs('export'),
    migrate: async () => {
      const status = await inTurn(
        () => connectAs('migrate'),
        'migrate',
        async (client) => {
          await refuseOldServers(client);
          await refuseOtherEncodings(client);
          await tellPlaintext(client, directUrl ?? url, log);
          return migrateSchema(client, schema, log);
        },
      ).catch(explain);
      await refuseWithoutClocks(pool).catch((error: unknown) => {
        throw connectionProblem(error, url) ?? error;
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
      const asked = clock();
      const { rows } = await pool.query<{ now: string }>(`select ${databaseTime} as now`);
      return offsetBetween(asked, clock(), Number(rows[0]?.now));
    },
    close: async () => {
      connector.close();
      direct.close();
      await replica?.close();
      await Promise.all([pool.end(), countPool.end()]);
    },
  };
}

/**
 * Drizzle's transactions on a pool keep the connection for ever when `begin` fails, and put a broken one back:
 * every outage would cost some of the pool. Here a connection that may be unwell is closed.
 */
function withTransactions(db: Db, pool: pg.Pool): Db {
  db.transaction = async (effect, config) => {
    const client = await pool.connect();
    let unwell: Error | undefined;
    // Without a listener, a connection lost between two queries ends the process.
    const onError = (error: Error) => (unwell = error);
    client.on('error', onError);
    try {
      return await drizzleOn(client).transaction((tx) => {
        noteClient(tx, client);
        return effect(tx);
      }, config);
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

/** Throws StartError where what every connection asks for is not in force: a pooler between took it away. */
async function refuseWithoutClocks(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ ms: string }>("select current_setting('statement_timeout') as ms");
  if (rows[0]?.ms !== `${clocks.statement / 1000}s`) throw new StartError(poolerProblem('that drops statement_timeout'));
}

/** Throws StartError for a database that cannot hold Chinese as letters. */
async function refuseOtherEncodings(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; encoding: string }>(
    "select current_database() as name, current_setting('server_encoding') as encoding",
  );
  if (rows[0] && rows[0].encoding !== 'UTF8')
    throw new StartError(
      `The database ${rows[0].name} uses the encoding ${rows[0].encoding}, but the panel needs UTF8. Create it with: CREATE DATABASE … ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0.`,
    );
}

/** Warns of a connection that leaves this machine and that others on the way can read. */
async function tellPlaintext(client: pg.Client, url: string, log: Log): Promise<void> {
  if (isOnThisMachine(url)) return;
  const { rows } = await client.query<{ ssl: boolean }>('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  if (rows[0]?.ssl === false)
    log.warn(
      { hosts: databaseHosts(url).names },
      'the connection to the database is not encrypted: add sslmode=verify-full to DATABASE_URL',
    );
}

/** Throws StartError for a PostgreSQL that lacks what the schema uses. */
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
