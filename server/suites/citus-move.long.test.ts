import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bundleOf } from '../../scripts/setup.mjs';
import { createLogger } from '../platform/core/log.ts';
import { openExternalServices } from '../platform/services/services.ts';
import { generateVisits } from '../statistics/generate.ts';
import { detachMonths } from '../statistics/partitions.ts';
import { rollUpAll } from '../statistics/roll-up.ts';
import { startCitusCluster } from '../testing/citus-cluster.ts';
import { onCleanup, createTemporaryFolder } from '../testing/cleanup.ts';
import { send, signInAs, createTestApp, createTestDatabase } from '../testing/support.ts';

const dayMs = 86_400_000;
const visitCount = 30_000;

const cluster = await startCitusCluster();
onCleanup(cluster.stop);

test('moving a running panel into Citus survives kill -9 in any line, and ends with equal sums and no old rows', async () => {
  const panelDatabase = await createTestDatabase();
  const now = Date.now();
  const [periodStart, periodEnd] = [new Date(now - 45 * dayMs), new Date(now - dayMs)];
  await generateVisits(panelDatabase.statistics, { count: visitCount, from: periodStart, to: periodEnd, name: 'move' });
  const oldVisits = {
    count: 500,
    from: new Date('2024-03-02T00:00:00Z'),
    to: new Date('2024-03-29T00:00:00Z'),
    name: 'detached',
  };
  await generateVisits(panelDatabase.statistics, oldVisits);
  const log = createLogger({ level: 'silent' });
  const app = await createTestApp({ EVENTS_PER_NETWORK: '1000000' }, { jobs: false, statisticsUrl: cluster.coordinator.url });
  const services = { config: app.config, log, database: panelDatabase, now: () => now, ...openExternalServices(app.config) };
  expect(await detachMonths(services, new Date(now), 12)).toContain('visits_2024_03');
  const sumsBefore = await panelDatabase.statistics.pool.query(sums);

  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production',
    SECRET_KEY: 'moving needs no secret, but a start does',
    DATA_DIR: createTemporaryFolder(),
    DATABASE_URL: panelDatabase.url,
    STATISTICS_DATABASE_URL: cluster.coordinator.url,
  };
  /** Killed after this many lines, if named. */
  const runStatisticsCommand = (command: string, killAfter = Infinity, delayMs = 0) => {
    const childProcess = spawn(process.execPath, [bundleOf('statistics-database'), command], { env });
    let output = '';
    for (const stream of [childProcess.stdout, childProcess.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.split('\n').length > killAfter) setTimeout(() => childProcess.kill('SIGKILL'), delayMs);
      });
    return new Promise<{ code: number | null; output: string }>((resolve) =>
      childProcess.once('close', (code) => resolve({ code, output })),
    );
  };

  const sendLiveVisits = async (liveVisits: number) => {
    const visitedAt = new Date(app.clock.now - 60_000).toISOString();
    const events = Array.from({ length: liveVisits }, () => ({ id: randomUUID(), at: visitedAt, page: '/live' }));
    expect((await send(app, 'POST', '/public/visits', { events })).status).toBe(202);
  };
  const isDistributed = await panelDatabase.pool.query('select from statistics_databases');
  expect(isDistributed.rowCount).toBe(0);
  await panelDatabase.pool.query('insert into statistics_databases (place, first_at) values ($1, now())', [
    app.database.statistics.place,
  ]);

  for (const [outputLines, delayMs] of [
    [1, 0],
    [4, 35],
    [9, 90],
    [15, 150],
    [25, 10],
  ] as const) {
    await sendLiveVisits(7);
    expect((await runStatisticsCommand('move', outputLines, delayMs)).code).toBeNull();
    expect(await runStatisticsCommand('remove-old')).toMatchObject({
      code: 1,
      output: expect.stringContaining('Nothing was removed'),
    });
  }
  const { code, output } = await runStatisticsCommand('move');
  expect({ code, output: output.trim().split('\n').at(-1) }).toEqual({
    code: 0,
    output: expect.stringMatching(
      new RegExp(
        `^All sums are equal. Days: \\d+. Visits: ${visitCount + 500}. Received since the switch: 35. Everything was moved.$`,
      ),
    ),
  });

  const { statistics } = app.database;
  await rollUpAll(statistics);
  const [, ...otherRows] = sumsBefore.rows;
  expect(otherRows.length).toBeGreaterThan(0);
  expect((await statistics.pool.query(`${sums.replace('order by', `having page <> '/live' order by`)}`)).rows).toEqual(
    sumsBefore.rows,
  );
  expect((await panelDatabase.statistics.pool.query('select from visits')).rowCount).toBe(visitCount);

  expect(await runStatisticsCommand('remove-old')).toMatchObject({
    code: 0,
    output: expect.stringContaining('The old rows were removed.'),
  });
  for (const table of ['visits', 'visit_deltas', 'visit_hours', 'visit_days', 'visit_hour_sums'])
    expect((await panelDatabase.pool.query(`select from ${table}`)).rowCount, table).toBe(0);
  expect((await statistics.pool.query('select count(*)::int as n from visits')).rows).toEqual([{ n: visitCount + 35 }]);
  const { api } = await signInAs(app, 'all');
  expect((await api.visits.totals({ filter: {} })).rows).toBe(String(visitCount + 500 + 35));
}, 300_000);

const sums = `select page, country, chain_id, sum(visits)::text as visits, sum(btc_deposited)::text as btc, sum(yu_minted)::text as yu
  from visit_days group by page, country, chain_id order by 1, 2, 3`;
