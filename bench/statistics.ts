// npm run bench:statistics [-- --visits 1000000 --rounds 3 --seconds 5 --only same,separate,citus]
// The same visits in the panel's database, in a separate one, and on Citus with two workers, in turn on one machine.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { openDatabase } from '../server/platform/db/db.ts';
import { createLogger } from '../server/platform/core/log.ts';
import { demoPassword } from '../server/seed/roles.ts';
import { generateVisits } from '../server/statistics/generate.ts';
import { startCitusCluster } from '../server/testing/citus-cluster.ts';
import { startServer, type ServerProcess } from '../server/testing/process.ts';
import { replaceDatabase } from '../server/testing/run-postgres.ts';
import { computePercentile } from './report.ts';

const { values: options } = parseArgs({
  options: {
    visits: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'same,separate,citus' },
  },
});
const [visits, rounds, seconds] = [Number(options.visits), Number(options.rounds), Number(options.seconds)];
const startedAt = Date.now();
const yearRange = `${new Date(startedAt - 364 * 86_400_000).toISOString()}..${new Date(startedAt).toISOString()}`;
const pageRows = 100;
const jsonHeaders = { 'content-type': 'application/json' };

interface BenchTarget {
  name: string;
  server: ServerProcess;
  http: Pool;
  headers: Record<string, string>;
  /** Of page 1,000, or of the last page. */
  cursor: string;
  found: Map<string, number[]>;
}

const cluster = await startCitusCluster();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
const benchTargets: BenchTarget[] = [];
try {
  // The same PostgreSQL with the same settings, without Citus.
  const { spare: plainServer, coordinator } = cluster;
  await plainServer.kill();
  await plainServer.start({ shared_preload_libraries: '' });
  const createPlainDatabase = async (name: string) => {
    await plainServer.query(`create database ${name}`, replaceDatabase(plainServer.url, 'postgres'));
    return replaceDatabase(plainServer.url, name);
  };
  for (const name of options.only.split(',')) {
    const url = await createPlainDatabase(`panel_${name}`);
    benchTargets.push(
      await openTarget(
        name,
        url,
        name === 'same' ? null : name === 'citus' ? coordinator.url : await createPlainDatabase('apart'),
      ),
    );
  }
  for (let roundNumber = 0; roundNumber < rounds; roundNumber++)
    for (const benchTarget of roundNumber % 2 ? benchTargets.toReversed() : benchTargets) await measureTarget(benchTarget);
  for (const benchTarget of benchTargets) await exportAll(benchTarget);
  printMedians();
} finally {
  for (const { http: httpPool, server } of benchTargets) {
    await httpPool.close();
    server.child.kill('SIGTERM');
    await server.ended;
  }
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function openTarget(name: string, url: string, statisticsUrl: string | null): Promise<BenchTarget> {
  const env = {
    DATABASE_URL: url,
    ...(statisticsUrl && { STATISTICS_DATABASE_URL: statisticsUrl }),
    EVENTS_PER_NETWORK: '10000000',
  };
  const server = startServer(join(folder, name), env);
  const httpPool = new Pool(await server.ready, { connections: 8 });
  const database = openDatabase({ url, statisticsUrl, log: createLogger({ level: 'silent' }) });
  const { statistics } = database;
  const startTime = performance.now();
  await generateVisits(statistics, {
    count: visits,
    from: new Date(startedAt - 365 * 86_400_000),
    to: new Date(startedAt),
    name: 'bench',
  });
  const client = await statistics.connect();
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ at: Date; id: string }>(
    `select at, id from visits order by at desc, id desc limit 1 offset ${Math.min(999 * pageRows, visits - pageRows) - 1}`,
  );
  const lastRow = rows[0];
  if (!lastRow) throw new Error('There are no visits.');
  await client.end();
  await database.close();
  console.error(`${name}: ${visits} visits added in ${((performance.now() - startTime) / 1000).toFixed(0)} s`);
  const cursor = Buffer.from(JSON.stringify(['n', 0, 'at', 'desc', lastRow.at.toISOString(), lastRow.id])).toString('base64url');
  return { name, server, http: httpPool, headers: await signIn(httpPool), cursor, found: new Map() };
}

async function measureTarget(benchTarget: BenchTarget): Promise<void> {
  const { http: httpPool } = benchTarget;
  const createBatch = () =>
    JSON.stringify({
      events: Array.from({ length: 100 }, (_, n) => ({
        id: randomUUID(),
        at: new Date(Date.now() - Math.floor(Math.random() * 6 * 86_400_000)).toISOString(),
        page: ['/', '/mint', '/vault'][n % 3],
        chainId: [1, 200901][n % 2],
      })),
    });
  const bodies = Array.from({ length: 2_000 }, createBatch);
  const startTime = performance.now();
  let sentCount = 0;
  const sendUntilDeadline = async () => {
    while (performance.now() < startTime + seconds * 1000) {
      const body = bodies[sentCount++ % bodies.length] ?? '';
      const response = await httpPool.request({ path: '/public/visits', method: 'POST', headers: jsonHeaders, body });
      if (response.statusCode !== 202) throw new Error(`ingest answered ${response.statusCode}: ${await response.body.text()}`);
      await response.body.dump();
    }
  };
  await Promise.all([1, 2, 3, 4].map(sendUntilDeadline));
  if (sentCount > bodies.length) console.error(`${benchTarget.name}: some visits were sent twice`);
  recordSample(
    benchTarget,
    'visits received per second, batches of 100, four senders',
    (sentCount * 100) / ((performance.now() - startTime) / 1000),
  );
  // The roll-up of what was sent is not part of the reads.
  await new Promise((resolve) => setTimeout(resolve, 4_000));

  const listInput = { sort: 'at', direction: 'desc', filter: {}, limit: pageRows, cursor: null };
  const dailySeries = { filter: { time: yearRange }, unit: 'day', zone: 'UTC', compare: false };
  const germanSeries = { filter: { time: yearRange, country: 'DE' }, unit: 'week', zone: 'Asia/Shanghai', compare: false };
  let rangeShift = 0;
  const newRangeStart = () => `${new Date(startedAt - 360 * 86_400_000 + rangeShift++).toISOString()}..`;
  const readRequests: [string, number, () => Promise<unknown>][] = [
    ['list, page 1', 60, () => callRpc(benchTarget, 'visits/list', listInput)],
    ['list, page 1,000', 60, () => callRpc(benchTarget, 'visits/list', { ...listInput, cursor: benchTarget.cursor })],
    [
      'page 1 and count of a new range',
      15,
      () => callRpc(benchTarget, 'visits/list', { ...listInput, filter: { time: newRangeStart() } }),
    ],
    [
      'page 1 and count of a country in a new range',
      15,
      () => callRpc(benchTarget, 'visits/list', { ...listInput, filter: { time: newRangeStart(), country: 'DE' } }),
    ],
    ['chart of a year by day, UTC', 15, () => callRpc(benchTarget, 'visits/series', dailySeries)],
    ['chart of one country by week, Shanghai', 15, () => callRpc(benchTarget, 'visits/series', germanSeries)],
    ['totals', 15, () => callRpc(benchTarget, 'visits/totals', { filter: {} })],
  ];
  for (const [description, repetitions, sendRead] of readRequests) {
    for (let warmUpRun = 0; warmUpRun < 3; warmUpRun++) await sendRead();
    for (let repetition = 0; repetition < repetitions; repetition++) {
      const requestStartTime = performance.now();
      await sendRead();
      recordSample(benchTarget, `${description}, ms`, performance.now() - requestStartTime);
    }
  }
}

async function exportAll(benchTarget: BenchTarget): Promise<void> {
  const { http: httpPool, headers } = benchTarget;
  const exportInput = { sort: 'at', direction: 'desc', filter: {}, locale: 'en-US' };
  const { id, rows } = (await callRpc(benchTarget, 'visits/export', exportInput)) as { id: string; rows: number };
  const requestStartTime = performance.now();
  const { body } = await httpPool.request({ path: `/api/statistics/dataView/export/${id}`, method: 'GET', headers });
  let lineCount = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) lineCount++;
    if (lineCount > 1 && !benchTarget.found.has('export, first rows, ms'))
      recordSample(benchTarget, 'export, first rows, ms', performance.now() - requestStartTime);
  }
  if (lineCount !== rows + 1) throw new Error(`The export has ${lineCount} lines instead of ${rows + 1}.`);
  recordSample(benchTarget, 'exported rows per second', rows / ((performance.now() - requestStartTime) / 1000));
}

function recordSample({ found: samples }: BenchTarget, description: string, value: number): void {
  const values = samples.get(description) ?? [];
  samples.set(description, values);
  values.push(value);
}

function printMedians(): void {
  const [firstTarget] = benchTargets;
  console.log(['median', ...benchTargets.map(({ name }) => name)].join(' | '));
  for (const description of firstTarget?.found.keys() ?? []) {
    const medians = benchTargets.map(({ found: samples }) => computePercentile(samples.get(description) ?? [], 50));
    const cells = medians.map((value) => `${value.toFixed(value < 100 ? 1 : 0)} (${(value / (medians[0] ?? 1)).toFixed(2)} ×)`);
    console.log([description, ...cells].join(' | '));
  }
}

async function callRpc({ http: httpPool, headers }: BenchTarget, path: string, input: unknown): Promise<unknown> {
  const body = JSON.stringify({ json: input });
  const response = await httpPool.request({
    path: `/rpc/${path}`,
    method: 'POST',
    headers: { ...headers, ...jsonHeaders },
    body,
  });
  const { json: output } = (await response.body.json()) as { json: unknown };
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${JSON.stringify(output)}`);
  return output;
}

async function signIn(httpPool: Pool): Promise<Record<string, string>> {
  const body = JSON.stringify({ email: 'admin@demo.local', password: demoPassword });
  const response = await httpPool.request({ path: '/api/session', method: 'POST', headers: jsonHeaders, body });
  const { authorization } = (await response.body.json()) as { authorization: string };
  return { authorization, cookie: String(response.headers['set-cookie']).split(';')[0] ?? '' };
}
