import { randomInt } from 'node:crypto';
import type pg from 'pg';
import { StartError } from '../../platform/core/start-error.ts';
import type { Database, StatisticsDatabase } from '../../platform/db/db.ts';

/** Why the two URLs cannot be used together, or null. */
async function findSameDatabaseProblem(panel: Pick<Database, 'pool'>, { pool }: StatisticsDatabase): Promise<string | null> {
  const client = await panel.pool.connect();
  const key = randomInt(2 ** 47);
  try {
    // Only a connection to the same database sees the lock, in any spelling of its address.
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [key]);
    const { rows } = await pool.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [key]);
    return rows[0]?.free === false
      ? 'STATISTICS_DATABASE_URL names the same database as DATABASE_URL in another spelling. Remove it or name another database.'
      : null;
  } finally {
    await client.query('rollback').catch(() => {});
    client.release();
  }
}

/** Throws StartError before anything is changed. */
export async function requireUsableDatabase(database: Pick<Database, 'pool' | 'statistics'>): Promise<void> {
  const { statistics } = database;
  try {
    const [problem] = [await findSameDatabaseProblem(database, statistics), ...(await findCitusProblems(statistics.pool))].filter(
      (candidate) => candidate !== null,
    );
    if (problem !== undefined) throw new StartError(problem);
  } catch (error) {
    throw statistics.problemOf(error) ?? error;
  }
}

/** One sentence each. Nothing for plain PostgreSQL. */
async function findCitusProblems(client: pg.Pool | pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ loaded: boolean; created: boolean }>(
    `select current_setting('citus.shard_count', true) is not null as loaded,
       exists (select from pg_extension where extname = 'citus') as created`,
  );
  if (!rows[0]?.created)
    return rows[0]?.loaded
      ? [
          'The statistics database runs Citus, but the extension is missing there. Run CREATE EXTENSION citus in this database on every node, or remove citus from shared_preload_libraries.',
        ]
      : [];
  const { rows: roles } = await client.query<{ coordinator: boolean }>('select citus_is_coordinator() as coordinator');
  if (roles[0]?.coordinator === false)
    return ['STATISTICS_DATABASE_URL names a worker of the Citus cluster. Name the coordinator.'];
  const coordinatorSettings = await client.query<{ value: string }>(`select ${settingsSql} as value`);
  const workers = await client.query<{ name: string; port: number; success: boolean; value: string }>(
    `select nodename as name, nodeport as port, success, result as value from run_command_on_workers($1)`,
    [`select ${settingsSql}`],
  );
  return [
    ...findNodeProblems('the coordinator', coordinatorSettings.rows[0]?.value ?? ''),
    // A worker that gives no answer is an outage, which statistics survive.
    ...workers.rows.flatMap(({ name, port, success, value }) =>
      success ? findNodeProblems(`the worker ${name}:${port}`, value) : [],
    ),
  ];
}

const settingsSql = `concat_ws(' ', exists (select from pg_extension where extname = 'citus'), current_setting('wal_level'), current_setting('max_prepared_transactions'))`;

/** Four servers that change eight shards in the same moment. Citus replaces 0 by twice max_connections itself. */
const minPreparedTransactions = 32;

function findNodeProblems(node: string, value: string): string[] {
  const [hasExtension, walLevel, preparedTransactions] = value.split(' ');
  if (hasExtension !== 't' && hasExtension !== 'true')
    return [`The Citus extension is missing on ${node}. Run CREATE EXTENSION citus in the statistics database there.`];
  return [
    ...(walLevel === 'logical' ? [] : [`wal_level is ${walLevel} on ${node}. Set it to logical and restart that PostgreSQL.`]),
    ...(Number(preparedTransactions) >= minPreparedTransactions
      ? []
      : [`max_prepared_transactions is ${preparedTransactions} on ${node}. Set it to 200 or more and restart that PostgreSQL.`]),
  ];
}

/** Workers that give no answer, as `host:port`. */
export async function findSilentWorkers(client: pg.Pool): Promise<string[]> {
  const { rows: extensionRows } = await client.query<{ citus: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as citus`,
  );
  if (!extensionRows[0]?.citus) return [];
  const { rows } = await client.query<{ name: string; port: number }>(
    `select nodename as name, nodeport as port from run_command_on_workers('select 1') where not success`,
  );
  return rows.map(({ name, port }) => `${name}:${port}`);
}
