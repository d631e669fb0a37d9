// npm run bench:server [-- --only pair,news,export,import,start --rows 1000000 --seconds 10 --json --strict]
// Measures the server's promises on a database of its own. `--strict` exits with 1 if a promise is broken.
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Pool } from 'undici';
import type { ExportJobRow } from '../api/exports/contract.ts';
import { exitWithError, root, SetupError } from '../scripts/setup.mjs';
import { demoPassword } from '../server/seed/roles.ts';
import { startServer } from '../server/testing/process.ts';
import { measureImport } from './imports.ts';
import { generate, measurePair } from './pair.ts';
import { recordCount, percentile, printReport, report } from './report.ts';
import { seedNews, seedPoints } from './seed.ts';

const parts = { pair, news, export: exportPoints, import: importPoints, start };
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(parts).join(',') },
    rows: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    writes: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
const [rows, seconds] = [Number(options.rows), Number(options.seconds)];
const asked = new Set(options.only.split(','));
const unknown = [...asked].filter((name) => !(name in parts));
if (unknown.length > 0)
  exitWithError(new SetupError(`Unknown part ${unknown.join(', ')}. Available parts: ${Object.keys(parts).join(', ')}`));

const item = JSON.stringify({
  title: 'Bench #',
  description: 'Written by the benchmark, as long as a usual summary of two or three sentences would be. '.repeat(3),
  image: 'https://example.com/picture.webp',
  time: '2026-01-02T03:04:05.678Z',
  link: 'https://example.com/',
});

const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
const server = startServer(dataDir);
const origin = await server.ready;
const databaseUrl = urlOf(dataDir);
const database = new pg.Client({ connectionString: databaseUrl });
await database.connect();
const http = new Pool(origin, { connections: 1 });

try {
  const headers = await signIn();
  for (const [name, measure] of Object.entries(parts)) {
    if (!asked.has(name)) continue;
    await measure(headers).catch((error: unknown) => {
      console.error(error);
      report(name, 'could not be measured', '', false);
      process.exitCode = 1;
    });
  }
  printReport(options);
} finally {
  await http.close();
  await database.end();
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(dataDir, { recursive: true, force: true });
}

async function pair(headers: Record<string, string>): Promise<void> {
  await seedNews(database, 10_000);
  await measurePair(
    { origin, headers },
    databaseUrl,
    [
      { what: 'list', path: '/api/news/list', bodies: [page()], limit: 2 },
      { what: 'public', path: '/public/news?limit=20', method: 'GET', bodies: [], limit: 1.5 },
      { what: 'write', path: '/api/news', bodies: [item], limit: null },
    ],
    { seconds, rounds: Number(options.rounds) },
  );
}

async function news(headers: Record<string, string>): Promise<void> {
  console.error(`Adding ${recordCount(rows)} news items …`);
  await seedNews(database, rows);
  const cursors: string[] = [];
  while (cursors.length < 999) {
    const answer = (await post('/api/news/list', page(cursors.at(-1)), headers)) as { nextCursor: string | null };
    if (answer.nextCursor === null) throw new Error(`The list has only ${cursors.length + 1} pages.`);
    cursors.push(answer.nextCursor);
  }
  const since = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const sql = (where: string, values: string[]) => () =>
    database.query(`select * from news where ${where} order by time desc, id desc limit 51`, values);
  const works = {
    first: () => post('/api/news/list', page(), headers),
    deep: () => post('/api/news/list', page(cursors.at(-1)), headers),
    firstSql: sql('true', []),
    filtered: () => post('/api/news/list', page(undefined, { shown: 'true', time: `${since}..` }), headers),
    filteredSql: sql('shown and time >= $1', [since]),
  };
  const times = Object.fromEntries(Object.keys(works).map((name) => [name, [] as number[]]));
  // In turn, so that a busy moment of the machine affects all of them.
  for (let round = 0; round < 300; round++)
    for (const [name, work] of Object.entries(works)) {
      const started = performance.now();
      await work();
      times[name]?.push(performance.now() - started);
    }
  const compare = (what: string, ours: string, peer: string, limit: number, percent: number) => {
    const [own, other] = [percentile(times[ours] ?? [], percent), percentile(times[peer] ?? [], percent)];
    const ratio = own / other;
    report(
      `${what} of ${recordCount(rows)} rows`,
      `p${percent} ${own.toFixed(1)} of ${other.toFixed(1)} ms: ${ratio.toFixed(1)} ×`,
      `≤ ${limit} ×`,
      ratio <= limit,
    );
  };
  compare('list page 1, beside the same SQL', 'first', 'firstSql', 5, 95);
  compare('the same with two filters', 'filtered', 'filteredSql', 5, 95);
  compare('list page 1,000, beside page 1', 'deep', 'first', 1.5, 50);

  const rate = Number(options.writes);
  const load = { origin, headers, rate, seconds, path: '/api/news', bodies: [item] };
  const { latencies, failed, perSecond } = await generate(load);
  report(
    `${recordCount(rate)} audited writes a second for ${seconds} s`,
    `${perSecond.toFixed(0)}/s, p99 ${percentile(latencies, 99).toFixed(0)} ms, ${failed} failed`,
    'held, none failed',
    failed === 0 && perSecond >= rate * 0.98,
  );
}

async function exportPoints(headers: Record<string, string>): Promise<void> {
  console.error(`Adding ${recordCount(rows)} entries to the ledger …`);
  await seedPoints(database, rows);
  const memoryMb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  const before = memoryMb();
  const request = JSON.stringify({ sort: 'createdAt', direction: 'desc', filter: {}, locale: 'zh-CN' });
  const started = performance.now();
  const { id } = (await post('/api/points/export', request, headers)) as { id: string };
  let peak = before;
  for (;;) {
    const own = await http.request({ path: '/api/exports', method: 'GET', headers });
    const job = ((await own.body.json()) as ExportJobRow[]).find((one) => one.id === id);
    peak = Math.max(peak, memoryMb());
    if (job?.state === 'done') break;
    if (job?.state !== 'queued' && job?.state !== 'running') throw new Error(`The export is ${job?.state ?? 'missing'}`);
    await sleep(200);
  }
  const { body } = await http.request({ path: `/api/points/export/${id}`, method: 'GET', headers });
  let lines = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) lines++;
    peak = Math.max(peak, memoryMb());
  }
  report(
    `CSV export of ${recordCount(rows)} rows`,
    `${recordCount(lines - 1)} rows in ${((performance.now() - started) / 1000).toFixed(1)} s, memory +${(peak - before).toFixed(0)} MB`,
    'every row, memory < +50 MB',
    lines === rows + 1 && peak - before < 50,
  );
}

function importPoints(headers: Record<string, string>): Promise<void> {
  return measureImport(origin, headers, database, dataDir);
}

async function start(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  try {
    let ms = 0;
    for (let run = 0; run < 2; run++) {
      const started = performance.now();
      const own = startServer(folder, {}, join(root, 'scripts', 'start.mjs'));
      await own.ready;
      ms = performance.now() - started;
      own.child.kill('SIGTERM');
      await own.ended;
    }
    report('second start to ready', `${(ms / 1000).toFixed(1)} s`, '≤ 5 s', ms <= 5_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function post(path: string, body: string, headers: Record<string, string>): Promise<unknown> {
  const response = await http.request({
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${await response.body.text()}`);
  return response.body.json();
}

function page(cursor: string | null = null, filter: Record<string, string> = {}): string {
  return JSON.stringify({ sort: 'time', direction: 'desc', filter, cursor, limit: 50 });
}

async function signIn(): Promise<Record<string, string>> {
  const response = await http.request({
    path: '/api/session',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@demo.local', password: demoPassword }),
  });
  const { authorization } = (await response.body.json()) as { authorization: string };
  return { authorization, cookie: String(response.headers['set-cookie']).split(';')[0] ?? '' };
}

function urlOf(folder: string): string {
  const password = readFileSync(join(folder, 'postgres.secret'), 'utf8');
  const port = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3]);
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/admin_panel`;
}
