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
import { withDatabase } from '../server/testing/run-postgres.ts';
import { percentile } from './report.ts';

const { values: options } = parseArgs({
  options: {
    visits: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string', default: 'same,separate,citus' },
  },
});
const [visits, rounds, seconds] = [Number(options.visits), Number(options.rounds), Number(options.seconds)];
const now = Date.now();
const year = `${new Date(now - 364 * 86_400_000).toISOString()}..${new Date(now).toISOString()}`;
const pageRows = 100;
const json = { 'content-type': 'application/json' };

interface Place {
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
const places: Place[] = [];
try {
  // The same PostgreSQL with the same settings, without Citus.
  const { spare: plain, coordinator } = cluster;
  await plain.kill();
  await plain.start({ shared_preload_libraries: '' });
  const newPlain = async (name: string) => {
    await plain.query(`create database ${name}`, withDatabase(plain.url, 'postgres'));
    return withDatabase(plain.url, name);
  };
  for (const name of options.only.split(',')) {
    const url = await newPlain(`panel_${name}`);
    places.push(await open(name, url, name === 'same' ? null : name === 'citus' ? coordinator.url : await newPlain('apart')));
  }
  for (let round = 0; round < rounds; round++) for (const place of round % 2 ? places.toReversed() : places) await measure(place);
  for (const place of places) await exportAll(place);
  print();
} finally {
  for (const { http, server } of places) {
    await http.close();
    server.child.kill('SIGTERM');
    await server.ended;
  }
  await cluster.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function open(name: string, url: string, statisticsUrl: string | null): Promise<Place> {
  const env = {
    DATABASE_URL: url,
    ...(statisticsUrl && { STATISTICS_DATABASE_URL: statisticsUrl }),
    EVENTS_PER_NETWORK: '10000000',
  };
  const server = startServer(join(folder, name), env);
  const http = new Pool(await server.ready, { connections: 8 });
  const database = openDatabase({ url, statisticsUrl, log: createLogger({ level: 'silent' }) });
  const { statistics } = database;
  const started = performance.now();
  await generateVisits(statistics, { count: visits, from: new Date(now - 365 * 86_400_000), to: new Date(now), name: 'bench' });
  const client = await statistics.connect();
  await client.query('vacuum analyze');
  const { rows } = await client.query<{ at: Date; id: string }>(
    `select at, id from visits order by at desc, id desc limit 1 offset ${Math.min(999 * pageRows, visits - pageRows) - 1}`,
  );
  const last = rows[0];
  if (!last) throw new Error('There are no visits.');
  await client.end();
  await database.close();
  console.error(`${name}: ${visits} visits added in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const cursor = Buffer.from(JSON.stringify(['n', 0, 'at', 'desc', last.at.toISOString(), last.id])).toString('base64url');
  return { name, server, http, headers: await signIn(http), cursor, found: new Map() };
}

async function measure(place: Place): Promise<void> {
  const { http } = place;
  const batch = () =>
    JSON.stringify({
      events: Array.from({ length: 100 }, (_, n) => ({
        id: randomUUID(),
        at: new Date(Date.now() - Math.floor(Math.random() * 6 * 86_400_000)).toISOString(),
        page: ['/', '/mint', '/vault'][n % 3],
        chainId: [1, 200901][n % 2],
      })),
    });
  const bodies = Array.from({ length: 2_000 }, batch);
  const started = performance.now();
  let sent = 0;
  const sendUntilEnd = async () => {
    while (performance.now() < started + seconds * 1000) {
      const body = bodies[sent++ % bodies.length] ?? '';
      const answer = await http.request({ path: '/public/visits', method: 'POST', headers: json, body });
      if (answer.statusCode !== 202) throw new Error(`ingest answered ${answer.statusCode}: ${await answer.body.text()}`);
      await answer.body.dump();
    }
  };
  await Promise.all([1, 2, 3, 4].map(sendUntilEnd));
  if (sent > bodies.length) console.error(`${place.name}: some visits were sent twice`);
  record(
    place,
    'visits received per second, batches of 100, four senders',
    (sent * 100) / ((performance.now() - started) / 1000),
  );
  // The roll-up of what was sent is not part of the reads.
  await new Promise((resolve) => setTimeout(resolve, 4_000));

  const list = { sort: 'at', direction: 'desc', filter: {}, limit: pageRows, cursor: null };
  const series = { filter: { time: year }, unit: 'day', zone: 'UTC', compare: false };
  const ofGermany = { filter: { time: year, country: 'DE' }, unit: 'week', zone: 'Asia/Shanghai', compare: false };
  let shift = 0;
  const uncounted = () => `${new Date(now - 360 * 86_400_000 + shift++).toISOString()}..`;
  const reads: [string, number, () => Promise<unknown>][] = [
    ['list, page 1', 60, () => rpc(place, 'visits/list', list)],
    ['list, page 1,000', 60, () => rpc(place, 'visits/list', { ...list, cursor: place.cursor })],
    ['page 1 and count of a new range', 15, () => rpc(place, 'visits/list', { ...list, filter: { time: uncounted() } })],
    [
      'page 1 and count of a country in a new range',
      15,
      () => rpc(place, 'visits/list', { ...list, filter: { time: uncounted(), country: 'DE' } }),
    ],
    ['chart of a year by day, UTC', 15, () => rpc(place, 'visits/series', series)],
    ['chart of one country by week, Shanghai', 15, () => rpc(place, 'visits/series', ofGermany)],
    ['totals', 15, () => rpc(place, 'visits/totals', { filter: {} })],
  ];
  for (const [what, times, read] of reads) {
    for (let warm = 0; warm < 3; warm++) await read();
    for (let time = 0; time < times; time++) {
      const began = performance.now();
      await read();
      record(place, `${what}, ms`, performance.now() - began);
    }
  }
}

async function exportAll(place: Place): Promise<void> {
  const { http, headers } = place;
  const wanted = { sort: 'at', direction: 'desc', filter: {}, locale: 'en-US' };
  const { id, rows } = (await rpc(place, 'visits/export', wanted)) as { id: string; rows: number };
  const began = performance.now();
  const { body } = await http.request({ path: `/api/statistics/dataView/export/${id}`, method: 'GET', headers });
  let lines = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) lines++;
    if (lines > 1 && !place.found.has('export, first rows, ms'))
      record(place, 'export, first rows, ms', performance.now() - began);
  }
  if (lines !== rows + 1) throw new Error(`The export has ${lines} lines instead of ${rows + 1}.`);
  record(place, 'exported rows per second', rows / ((performance.now() - began) / 1000));
}

function record({ found }: Place, what: string, value: number): void {
  const values = found.get(what) ?? [];
  found.set(what, values);
  values.push(value);
}

function print(): void {
  const [first] = places;
  console.log(['median', ...places.map(({ name }) => name)].join(' | '));
  for (const what of first?.found.keys() ?? []) {
    const medians = places.map(({ found }) => percentile(found.get(what) ?? [], 50));
    const texts = medians.map((value) => `${value.toFixed(value < 100 ? 1 : 0)} (${(value / (medians[0] ?? 1)).toFixed(2)} ×)`);
    console.log([what, ...texts].join(' | '));
  }
}

async function rpc({ http, headers }: Place, path: string, input: unknown): Promise<unknown> {
  const body = JSON.stringify({ json: input });
  const answer = await http.request({ path: `/rpc/${path}`, method: 'POST', headers: { ...headers, ...json }, body });
  const { json: output } = (await answer.body.json()) as { json: unknown };
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${JSON.stringify(output)}`);
  return output;
}

async function signIn(http: Pool): Promise<Record<string, string>> {
  const body = JSON.stringify({ email: 'admin@demo.local', password: demoPassword });
  const response = await http.request({ path: '/api/session', method: 'POST', headers: json, body });
  const { authorization } = (await response.body.json()) as { authorization: string };
  return { authorization, cookie: String(response.headers['set-cookie']).split(';')[0] ?? '' };
}
