import { expect, test } from 'vitest';
import { findFreePort } from '../../chain/free-port.ts';
import { openDatabase } from '../platform/db/db.ts';
import { createLogger } from '../platform/core/log.ts';
import { requireUsableDatabase } from '../statistics/shared/database-checks.ts';
import { startCitusCluster, type CitusNode } from '../testing/citus-cluster.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { replaceDatabase } from '../testing/run-postgres.ts';
import { changeUrl, readStartProblem, readStatisticsFindings } from '../testing/start-problems.ts';

const cluster = await startCitusCluster();
onCleanup(cluster.stop);
const { coordinator, workers, spare } = cluster;
const [worker] = workers as [CitusNode];
const { url } = coordinator;
const nodeNameOf = (node: CitusNode) => (node === coordinator ? 'the coordinator' : `the worker 127.0.0.1:${node.port}`);

/** The one line that both a start and doctor say. */
async function readReportedProblem(statisticsUrl: string): Promise<string> {
  const problem = (await readStartProblem(statisticsUrl)) ?? '';
  const findings = await readStatisticsFindings(statisticsUrl);
  const problems = findings.filter((finding) => finding.startsWith('problem: '));
  if (problem.includes('\n') || problems.join('\n') !== `problem: ${problem}`)
    throw new Error(`A start says “${problem}”, and doctor says “${problems.join('\n')}”.`);
  return problem;
}

test.each(['the coordinator', 'a worker'])(
  'a start and doctor name a wrong wal_level and max_prepared_transactions of %s',
  async (nodeName) => {
    const node = nodeName === 'a worker' ? worker : coordinator;
    for (const [changedSettings, line] of [
      [{ wal_level: 'replica' }, `wal_level is replica on ${nodeNameOf(node)}. Set it to logical and restart that PostgreSQL.`],
      [
        { max_prepared_transactions: '10' },
        `max_prepared_transactions is 10 on ${nodeNameOf(node)}. Set it to 200 or more and restart that PostgreSQL.`,
      ],
    ] as const) {
      await node.kill();
      await node.start(changedSettings);
      expect(await readReportedProblem(url)).toBe(line);
    }
    await node.kill();
    await node.start();
  },
  120_000,
);

test('a start and doctor name a coordinator, then a worker, without the extension', async () => {
  expect(await readReportedProblem(await createSpareDatabase())).toBe(
    'The statistics database runs Citus, but the extension is missing there. Run CREATE EXTENSION citus in this database on every node, or remove citus from shared_preload_libraries.',
  );
  const otherDatabase = await cluster.newDatabase();
  await worker.query('drop extension citus cascade', replaceDatabase(worker.url, new URL(otherDatabase).pathname.slice(1)));
  expect(await readReportedProblem(otherDatabase)).toBe(
    `The Citus extension is missing on ${nodeNameOf(worker)}. Run CREATE EXTENSION citus in the statistics database there.`,
  );
}, 120_000);

async function createSpareDatabase(): Promise<string> {
  await spare.query('create database bare');
  return replaceDatabase(spare.url, 'bare');
}

test('a start and doctor refuse a worker, a missing database, a wrong port and a wrong password', async () => {
  expect(await readReportedProblem(worker.url)).toBe(
    'STATISTICS_DATABASE_URL names a worker of the Citus cluster. Name the coordinator.',
  );
  expect(await readReportedProblem(replaceDatabase(url, 'nowhere'))).toMatch(
    /^The database "nowhere" doesn’t exist at 127\.0\.0\.1:\d+\. Create it or change STATISTICS_DATABASE_URL\.$/,
  );
  const port = String(await findFreePort());
  expect(await readReportedProblem(changeUrl(url, (newUrl) => (newUrl.port = port)))).toBe(
    `Can’t connect to the database at 127.0.0.1:${port} (ECONNREFUSED). Start it or change STATISTICS_DATABASE_URL.`,
  );
  expect(await readReportedProblem(changeUrl(url, (newUrl) => (newUrl.password = 'wrong')))).toMatch(
    /rejected the user or password\. Check STATISTICS_DATABASE_URL\.$/,
  );
}, 120_000);

test('a start refuses the coordinator’s database twice in different spellings', async () => {
  const respelledUrl = changeUrl(url, (newUrl) => (newUrl.hostname = 'localhost'));
  const database = openDatabase({ url, statisticsUrl: respelledUrl, log: createLogger({ level: 'silent' }) });
  try {
    await expect(requireUsableDatabase(database)).rejects.toThrow(
      'STATISTICS_DATABASE_URL names the same database as DATABASE_URL in another spelling. Remove it or name another database.',
    );
  } finally {
    await database.close();
  }
});

test('a start and doctor refuse tables of a newer release, and a sound cluster starts', async () => {
  expect(await readStartProblem(url)).toBeNull();
  expect((await readStatisticsFindings(url)).filter((finding) => !finding.startsWith('ok'))).toEqual([]);
  await coordinator.query(
    `insert into schema_history.__statistics_migrations (number, name, hash, version, oldest_version) values (99, '0099_later', 'x', '9.0.0', '9.0.0')`,
  );
  expect(await readReportedProblem(url)).toMatch(
    /^The statistics database was upgraded by version 9\.0\.0, and this is version .*\. Start version 9\.0\.0 or newer, or set STATISTICS_DATABASE_URL to another database\.$/,
  );
}, 120_000);
