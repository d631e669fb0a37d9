import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { detachMonths, createMonths } from '../statistics/partitions.ts';
import { rollUp, rollUpAll } from '../statistics/roll-up.ts';
import { dayOf } from '../statistics/slots.ts';
import { startCitusCluster, type CitusCluster } from '../testing/citus-cluster.ts';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { startServer, waitUntil } from '../testing/process.ts';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';

const log = createLogger({ level: 'silent' });
let cluster: CitusCluster;
let app: TestApp;
let adminSession: TestSession;
let acknowledgedVisits = 0;
let responseStatuses = new Set<number>();

beforeAll(async () => {
  cluster = await startCitusCluster();
  onCleanup(cluster.stop);
  app = await createTestApp({ EVENTS_PER_NETWORK: '10000000' }, { jobs: false, statisticsUrl: cluster.coordinator.url });
  adminSession = await signInAs(app, 'all');
}, 180_000);

/** Sends batches of the days that events can reach until stopped. Repeats a batch until it is acknowledged. */
function startSender({ rollsUp = true } = {}): () => Promise<void> {
  let isStopped = false;
  let isAbandoned = false;
  const pendingSender = (async () => {
    while (!isStopped) {
      const events = Array.from({ length: 40 }, (_, n) => ({
        id: randomUUID(),
        at: new Date(app.clock.now - (n % 7) * 86_400_000 - 60_000).toISOString(),
        page: ['/', '/mint'][n % 2],
        btcDeposited: '7',
      }));
      for (;;) {
        const { status } = await send(app, 'POST', '/public/visits', { events });
        responseStatuses.add(status);
        if (status === 202) break;
        if (isAbandoned) return;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      acknowledgedVisits += events.length;
      if (rollsUp) await rollUp(app.database.statistics, { most: 50 }).catch(() => 0);
    }
  })();
  const stopSender = async () => {
    isStopped = true;
    await pendingSender;
  };
  // A test that fails must not send during the next one.
  onCleanup(() => {
    isAbandoned = true;
    return stopSender();
  });
  return stopSender;
}

async function expectExactSums(): Promise<void> {
  const { statistics } = app.database;
  await rollUpAll(statistics);
  const sums = 'sum(visits)::int as visits, sum(btc_deposited)::int as btc';
  const expected = [{ visits: acknowledgedVisits, btc: acknowledgedVisits * 7 }];
  for (const table of ['visit_hours', 'visit_days', 'visit_hour_sums'])
    expect((await statistics.pool.query(`select ${sums} from ${table}`)).rows, table).toEqual(expected);
  const { rows } = await statistics.pool.query('select count(*)::int as visits, sum(btc_deposited)::int as btc from visits');
  expect(rows).toEqual(expected);
  expect(await adminSession.api.visits.totals({ filter: {} })).toMatchObject({ rows: String(acknowledgedVisits) });
}

const waitForVisits = (startCount: number) => waitUntil(() => acknowledgedVisits > startCount + 200);

test('every sum is exact after a worker and the coordinator crash under load, and visits are unavailable meanwhile', async () => {
  const stopSender = startSender();
  await waitForVisits(0);
  for (const node of [cluster.workers[0], cluster.workers[1], cluster.coordinator]) {
    await node?.kill();
    await waitUntil(() => responseStatuses.has(503));
    await expect(adminSession.api.visits.totals({ filter: {} })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      data: { what: 'statistics' },
    });
    expect((await send(app, 'GET', '/readyz')).status).toBe(200);
    await node?.start();
    await waitForVisits(acknowledgedVisits);
    expect([...responseStatuses].toSorted()).toEqual([202, 503]);
    responseStatuses = new Set();
  }
  await stopSender();
  await expectExactSums();
}, 300_000);

test('visits of today and their roll-up go on while a worker without today is down, and reads are unavailable', async () => {
  const { coordinator, workers } = cluster;
  const { statistics } = app.database;
  const today = dayOf(new Date(app.clock.now - 60_000));
  const [shardPlacement] = await coordinator.query<{ port: number }>(
    `select nodeport as port from citus_shards where shardid = get_shard_id_for_distribution_column('visits', ${today * 8})`,
  );
  const otherWorker = workers.find(({ port }) => port !== shardPlacement?.port);
  await otherWorker?.kill();
  const events = () =>
    Array.from({ length: 40 }, () => ({
      id: randomUUID(),
      at: new Date(today * 86_400_000 + 1).toISOString(),
      page: '/',
      btcDeposited: '7',
    }));
  for (let batchNumber = 0; batchNumber < 20; batchNumber++) {
    expect((await send(app, 'POST', '/public/visits', { events: events() })).status).toBe(202);
    acknowledgedVisits += 40;
    await expect(rollUp(statistics)).rejects.toThrow();
  }
  const { rows } = await statistics.pool.query('select from visit_deltas where slot = $1', [today * 8]);
  expect(rows).toEqual([]);
  await expect(adminSession.api.visits.totals({ filter: {} })).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  const oldTime = new Date('2024-03-05T00:00:00Z');
  await expect(createMonths(statistics, oldTime, oldTime)).rejects.toThrow();
  await otherWorker?.start();
  await expectExactSums();
}, 300_000);

test('months are made and detached under load without an error, and the roll-ups keep their sums', async () => {
  const { statistics } = app.database;
  const services = { ...openExternalServices(app.config), config: app.config, log, database: app.database, now: Date.now };
  responseStatuses = new Set();
  const stopSender = startSender();
  for (const year of [2022, 2023, 2024]) {
    const oldTime = new Date(Date.UTC(year, 2, 5));
    await createMonths(statistics, oldTime, oldTime);
    await waitForVisits(acknowledgedVisits);
    expect(await detachMonths(services, new Date(Date.UTC(year + 1, 5, 1)), 6)).toContain(`visits_${year}_03`);
    await waitForVisits(acknowledgedVisits);
  }
  await stopSender();
  expect([...responseStatuses]).toEqual([202]);
  await expectExactSums();
}, 300_000);

test('a worker joins and takes shards under load without an error, and every sum is exact', async () => {
  responseStatuses = new Set();
  const stopSender = startSender();
  await waitForVisits(acknowledgedVisits);
  const { coordinator, spare } = cluster;
  await coordinator.query(`select citus_add_node('127.0.0.1', ${spare.port})`);
  await coordinator.query('select citus_rebalance_start()');
  await waitUntil(async () => {
    const rows = await coordinator.query<{ state: string }>('select state from citus_rebalance_status()');
    return rows.length > 0 && rows.every(({ state }) => state === 'finished');
  });
  await waitForVisits(acknowledgedVisits);
  await stopSender();
  const movedShards = await coordinator.query<{ shards: number }>(
    `select count(*)::int as shards from citus_shards where nodeport = ${spare.port}`,
  );
  expect(movedShards[0]?.shards).toBeGreaterThan(0);
  expect([...responseStatuses]).toEqual([202]);
  await expectExactSums();
}, 300_000);

test('a worker is replaced by its promoted standby under load, and every sum is exact', async () => {
  const { coordinator, workers } = cluster;
  const [, worker] = workers;
  if (!worker) throw new Error('there is no second worker');
  const standby = await cluster.standbyOf(worker);
  const stopSender = startSender();
  await waitForVisits(acknowledgedVisits);
  responseStatuses = new Set();
  await worker.kill();
  await waitUntil(() => responseStatuses.has(503));
  await standby.query('select pg_promote()');
  await coordinator.query(
    `select citus_update_node(nodeid, '127.0.0.1', ${standby.port}) from pg_dist_node where nodeport = ${worker.port}`,
  );
  await waitUntil(async () => {
    const rows = await coordinator.query<{ synced: boolean }>('select bool_and(metadatasynced) as synced from pg_dist_node');
    return rows[0]?.synced === true;
  });
  await waitForVisits(acknowledgedVisits);
  await stopSender();
  expect([...responseStatuses].toSorted()).toEqual([202, 503]);
  await expectExactSums();
}, 300_000);

test('a worker is drained and removed under load without an error, and every sum is exact', async () => {
  const { coordinator, workers } = cluster;
  const leavingCondition = `nodename = '127.0.0.1' and nodeport = ${workers[0]?.port}`;
  responseStatuses = new Set();
  const stopSender = startSender();
  await waitForVisits(acknowledgedVisits);
  await coordinator.query(`select citus_drain_node('127.0.0.1', ${workers[0]?.port})`);
  expect(await coordinator.query(`select from citus_shards where ${leavingCondition}`)).toEqual([]);
  await coordinator.query(`select citus_remove_node('127.0.0.1', ${workers[0]?.port})`);
  await workers[0]?.kill();
  await waitForVisits(acknowledgedVisits);
  await stopSender();
  expect([...responseStatuses]).toEqual([202]);
  expect(await coordinator.query(`select from pg_dist_node where ${leavingCondition}`)).toEqual([]);
  await expectExactSums();
}, 300_000);

test('every sum is exact after servers that roll up are killed', async () => {
  const env = { DATABASE_URL: app.database.url, STATISTICS_DATABASE_URL: cluster.coordinator.url };
  responseStatuses = new Set();
  const stopSender = startSender({ rollsUp: false });
  const countQueued = async () =>
    (await cluster.coordinator.query<{ n: number }>('select count(*)::int as n from visit_deltas'))[0]?.n ?? 0;
  for (let killNumber = 0; killNumber < 5; killNumber++) {
    const server = startServer(createTemporaryFolder(), env);
    await server.ready;
    const queuedBefore = await countQueued();
    await waitUntil(async () => (await countQueued()) < queuedBefore);
    await new Promise((resolve) => setTimeout(resolve, killNumber * 400));
    server.child.kill('SIGKILL');
    await server.ended;
  }
  await stopSender();
  expect([...responseStatuses]).toEqual([202]);
  await expectExactSums();
}, 300_000);
