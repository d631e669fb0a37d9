import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { detachMonths, makeMonths } from '../statistics/partitions.ts';
import { rollUp, rollUpAll } from '../statistics/roll-up.ts';
import { dayOf } from '../statistics/slots.ts';
import { startCitusCluster, type CitusCluster } from '../testing/citus-cluster.ts';
import { atEnd, temporaryFolder } from '../testing/end.ts';
import { startServer, waitUntil } from '../testing/process.ts';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';

const log = createLogger({ level: 'silent' });
let cluster: CitusCluster;
let app: TestApp;
let admin: TestSession;
let acknowledged = 0;
let answers = new Set<number>();

beforeAll(async () => {
  cluster = await startCitusCluster();
  atEnd(cluster.stop);
  app = await testApp({ EVENTS_PER_NETWORK: '10000000' }, { jobs: false, statisticsUrl: cluster.coordinator.url });
  admin = await signInAs(app, 'all');
}, 180_000);

/** Sends batches of the days that events can reach until stopped. Repeats a batch until it is acknowledged. */
function startSender({ rollsUp = true } = {}): () => Promise<void> {
  let isStopped = false;
  let isAbandoned = false;
  const work = (async () => {
    while (!isStopped) {
      const events = Array.from({ length: 40 }, (_, n) => ({
        id: randomUUID(),
        at: new Date(app.clock.now - (n % 7) * 86_400_000 - 60_000).toISOString(),
        page: ['/', '/mint'][n % 2],
        btcDeposited: '7',
      }));
      for (;;) {
        const { status } = await send(app, 'POST', '/public/visits', { events });
        answers.add(status);
        if (status === 202) break;
        if (isAbandoned) return;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      acknowledged += events.length;
      if (rollsUp) await rollUp(app.database.statistics, { most: 50 }).catch(() => 0);
    }
  })();
  const stop = async () => {
    isStopped = true;
    await work;
  };
  // A test that fails must not send during the next one.
  atEnd(() => {
    isAbandoned = true;
    return stop();
  });
  return stop;
}

async function expectExactSums(): Promise<void> {
  const { statistics } = app.database;
  await rollUpAll(statistics);
  const sums = 'sum(visits)::int as visits, sum(btc_deposited)::int as btc';
  const expected = [{ visits: acknowledged, btc: acknowledged * 7 }];
  for (const table of ['visit_hours', 'visit_days', 'visit_hour_sums'])
    expect((await statistics.pool.query(`select ${sums} from ${table}`)).rows, table).toEqual(expected);
  const { rows } = await statistics.pool.query('select count(*)::int as visits, sum(btc_deposited)::int as btc from visits');
  expect(rows).toEqual(expected);
  expect(await admin.api.visits.totals({ filter: {} })).toMatchObject({ rows: String(acknowledged) });
}

const moreThan = (start: number) => waitUntil(() => acknowledged > start + 200);

test('every sum is exact after a worker and the coordinator crash under load, and visits are unavailable meanwhile', async () => {
  const stop = startSender();
  await moreThan(0);
  for (const node of [cluster.workers[0], cluster.workers[1], cluster.coordinator]) {
    await node?.kill();
    await waitUntil(() => answers.has(503));
    await expect(admin.api.visits.totals({ filter: {} })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      data: { what: 'statistics' },
    });
    expect((await send(app, 'GET', '/readyz')).status).toBe(200);
    await node?.start();
    await moreThan(acknowledged);
    expect([...answers].toSorted()).toEqual([202, 503]);
    answers = new Set();
  }
  await stop();
  await expectExactSums();
}, 300_000);

test('visits of today and their roll-up go on while a worker without today is down, and reads are unavailable', async () => {
  const { coordinator, workers } = cluster;
  const { statistics } = app.database;
  const today = dayOf(new Date(app.clock.now - 60_000));
  const [place] = await coordinator.query<{ port: number }>(
    `select nodeport as port from citus_shards where shardid = get_shard_id_for_distribution_column('visits', ${today * 8})`,
  );
  const other = workers.find(({ port }) => port !== place?.port);
  await other?.kill();
  const events = () =>
    Array.from({ length: 40 }, () => ({
      id: randomUUID(),
      at: new Date(today * 86_400_000 + 1).toISOString(),
      page: '/',
      btcDeposited: '7',
    }));
  for (let batch = 0; batch < 20; batch++) {
    expect((await send(app, 'POST', '/public/visits', { events: events() })).status).toBe(202);
    acknowledged += 40;
    await expect(rollUp(statistics)).rejects.toThrow();
  }
  const { rows } = await statistics.pool.query('select from visit_deltas where slot = $1', [today * 8]);
  expect(rows).toEqual([]);
  await expect(admin.api.visits.totals({ filter: {} })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const old = new Date('2024-03-05T00:00:00Z');
  await expect(makeMonths(statistics, old, old)).rejects.toThrow();
  await other?.start();
  await expectExactSums();
}, 300_000);

test('months are made and detached under load without an error, and the roll-ups keep their sums', async () => {
  const { statistics } = app.database;
  const services = { ...openExternalServices(app.config), config: app.config, log, database: app.database, now: Date.now };
  answers = new Set();
  const stop = startSender();
  for (const year of [2022, 2023, 2024]) {
    const old = new Date(Date.UTC(year, 2, 5));
    await makeMonths(statistics, old, old);
    await moreThan(acknowledged);
    expect(await detachMonths(services, new Date(Date.UTC(year + 1, 5, 1)), 6)).toContain(`visits_${year}_03`);
    await moreThan(acknowledged);
  }
  await stop();
  expect([...answers]).toEqual([202]);
  await expectExactSums();
}, 300_000);

test('a worker joins and takes shards under load without an error, and every sum is exact', async () => {
  answers = new Set();
  const stop = startSender();
  await moreThan(acknowledged);
  const { coordinator, spare } = cluster;
  await coordinator.query(`select citus_add_node('127.0.0.1', ${spare.port})`);
  await coordinator.query('select citus_rebalance_start()');
  await waitUntil(async () => {
    const rows = await coordinator.query<{ state: string }>('select state from citus_rebalance_status()');
    return rows.length > 0 && rows.every(({ state }) => state === 'finished');
  });
  await moreThan(acknowledged);
  await stop();
  const moved = await coordinator.query<{ shards: number }>(
    `select count(*)::int as shards from citus_shards where nodeport = ${spare.port}`,
  );
  expect(moved[0]?.shards).toBeGreaterThan(0);
  expect([...answers]).toEqual([202]);
  await expectExactSums();
}, 300_000);

test('a worker is replaced by its promoted standby under load, and every sum is exact', async () => {
  const { coordinator, workers } = cluster;
  const [, worker] = workers;
  if (!worker) throw new Error('there is no second worker');
  const standby = await cluster.standbyOf(worker);
  const stop = startSender();
  await moreThan(acknowledged);
  answers = new Set();
  await worker.kill();
  await waitUntil(() => answers.has(503));
  await standby.query('select pg_promote()');
  await coordinator.query(
    `select citus_update_node(nodeid, '127.0.0.1', ${standby.port}) from pg_dist_node where nodeport = ${worker.port}`,
  );
  await waitUntil(async () => {
    const rows = await coordinator.query<{ synced: boolean }>('select bool_and(metadatasynced) as synced from pg_dist_node');
    return rows[0]?.synced === true;
  });
  await moreThan(acknowledged);
  await stop();
  expect([...answers].toSorted()).toEqual([202, 503]);
  await expectExactSums();
}, 300_000);

test('a worker is drained and removed under load without an error, and every sum is exact', async () => {
  const { coordinator, workers } = cluster;
  const leaving = `nodename = '127.0.0.1' and nodeport = ${workers[0]?.port}`;
  answers = new Set();
  const stop = startSender();
  await moreThan(acknowledged);
  await coordinator.query(`select citus_drain_node('127.0.0.1', ${workers[0]?.port})`);
  expect(await coordinator.query(`select from citus_shards where ${leaving}`)).toEqual([]);
  await coordinator.query(`select citus_remove_node('127.0.0.1', ${workers[0]?.port})`);
  await workers[0]?.kill();
  await moreThan(acknowledged);
  await stop();
  expect([...answers]).toEqual([202]);
  expect(await coordinator.query(`select from pg_dist_node where ${leaving}`)).toEqual([]);
  await expectExactSums();
}, 300_000);

test('every sum is exact after servers that roll up are killed', async () => {
  const env = { DATABASE_URL: app.database.url, STATISTICS_DATABASE_URL: cluster.coordinator.url };
  answers = new Set();
  const stop = startSender({ rollsUp: false });
  const queued = async () =>
    (await cluster.coordinator.query<{ n: number }>('select count(*)::int as n from visit_deltas'))[0]?.n ?? 0;
  for (let kill = 0; kill < 5; kill++) {
    const server = startServer(temporaryFolder(), env);
    await server.ready;
    const before = await queued();
    await waitUntil(async () => (await queued()) < before);
    await new Promise((resolve) => setTimeout(resolve, kill * 400));
    server.child.kill('SIGKILL');
    await server.ended;
  }
  await stop();
  expect([...answers]).toEqual([202]);
  await expectExactSums();
}, 300_000);
