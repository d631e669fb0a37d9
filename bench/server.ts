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
import { formatCount, computePercentile, printReport, addMeasurement } from './report.ts';
import { seedNews, seedPoints } from './seed.ts';

const benchmarks = {
  pair: benchmarkPair,
  news: benchmarkNews,
  export: benchmarkExport,
  import: benchmarkImport,
  start: benchmarkStart,
};
const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: Object.keys(benchmarks).join(',') },
    rows: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    writes: { type: 'string', default: '200' },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
const [rows, seconds] = [Number(options.rows), Number(options.seconds)];
const selectedNames = new Set(options.only.split(','));
const unknownNames = [...selectedNames].filter((name) => !(name in benchmarks));
if (unknownNames.length > 0)
  exitWithError(
    new SetupError(`Unknown part ${unknownNames.join(', ')}. Available parts: ${Object.keys(benchmarks).join(', ')}`),
  );

const newsItemJson = JSON.stringify({
  title: 'Bench #',
  description: 'Written by the benchmark, as long as a usual summary of two or three sentences would be. '.repeat(3),
  image: 'https://example.com/picture.webp',
  time: '2026-01-02T03:04:05.678Z',
  link: 'https://example.com/',
});

const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
const server = startServer(dataDir);
const origin = await server.ready;
const databaseUrl = readDatabaseUrl(dataDir);
const database = new pg.Client({ connectionString: databaseUrl });
await database.connect();
const httpPool = new Pool(origin, { connections: 1 });

try {
  const headers = await signIn();
  for (const [name, runBenchmark] of Object.entries(benchmarks)) {
    if (!selectedNames.has(name)) continue;
    await runBenchmark(headers).catch((error: unknown) => {
      console.error(error);
      addMeasurement(name, 'could not be measured', '', false);
      process.exitCode = 1;
    });
  }
  printReport(options);
} finally {
  await httpPool.close();
  await database.end();
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(dataDir, { recursive: true, force: true });
}

async function benchmarkPair(headers: Record<string, string>): Promise<void> {
  await seedNews(database, 10_000);
  await measurePair(
    { origin, headers },
    databaseUrl,
    [
      { what: 'list', path: '/api/news/list', bodies: [listInput()], limit: 2 },
      { what: 'public', path: '/public/news?limit=20', method: 'GET', bodies: [], limit: 1.5 },
      { what: 'write', path: '/api/news', bodies: [newsItemJson], limit: null },
    ],
    { seconds, rounds: Number(options.rounds) },
  );
}

async function benchmarkNews(headers: Record<string, string>): Promise<void> {
  console.error(`Adding ${formatCount(rows)} news items …`);
  await seedNews(database, rows);
  const cursors: string[] = [];
  while (cursors.length < 999) {
    const response = (await postRequest('/api/news/list', listInput(cursors.at(-1)), headers)) as { nextCursor: string | null };
    if (response.nextCursor === null) throw new Error(`The list has only ${cursors.length + 1} pages.`);
    cursors.push(response.nextCursor);
  }
  const filterStart = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const sql = (filterName: string, values: string[]) => () =>
    database.query(`select * from news where ${filterName} order by time desc, id desc limit 51`, values);
  const requestsByName = {
    first: () => postRequest('/api/news/list', listInput(), headers),
    deep: () => postRequest('/api/news/list', listInput(cursors.at(-1)), headers),
    firstSql: sql('true', []),
    filtered: () => postRequest('/api/news/list', listInput(undefined, { shown: 'true', time: `${filterStart}..` }), headers),
    filteredSql: sql('shown and time >= $1', [filterStart]),
  };
  const latenciesByName = Object.fromEntries(Object.keys(requestsByName).map((name) => [name, [] as number[]]));
  // In turn, so that a busy moment of the machine affects all of them.
  for (let roundNumber = 0; roundNumber < 300; roundNumber++)
    for (const [name, sendRequest] of Object.entries(requestsByName)) {
      const startTime = performance.now();
      await sendRequest();
      latenciesByName[name]?.push(performance.now() - startTime);
    }
  const compareLatencies = (description: string, panelName: string, peerName: string, limit: number, percent: number) => {
    const [panelMs, peerMs] = [
      computePercentile(latenciesByName[panelName] ?? [], percent),
      computePercentile(latenciesByName[peerName] ?? [], percent),
    ];
    const ratio = panelMs / peerMs;
    addMeasurement(
      `${description} of ${formatCount(rows)} rows`,
      `p${percent} ${panelMs.toFixed(1)} of ${peerMs.toFixed(1)} ms: ${ratio.toFixed(1)} ×`,
      `≤ ${limit} ×`,
      ratio <= limit,
    );
  };
  compareLatencies('list page 1, beside the same SQL', 'first', 'firstSql', 5, 95);
  compareLatencies('the same with two filters', 'filtered', 'filteredSql', 5, 95);
  compareLatencies('list page 1,000, beside page 1', 'deep', 'first', 1.5, 50);

  const rate = Number(options.writes);
  const load = { origin, headers, rate, seconds, path: '/api/news', bodies: [newsItemJson] };
  const { latencies, failed, perSecond } = await generate(load);
  addMeasurement(
    `${formatCount(rate)} audited writes a second for ${seconds} s`,
    `${perSecond.toFixed(0)}/s, p99 ${computePercentile(latencies, 99).toFixed(0)} ms, ${failed} failed`,
    'held, none failed',
    failed === 0 && perSecond >= rate * 0.98,
  );
}

async function benchmarkExport(headers: Record<string, string>): Promise<void> {
  console.error(`Adding ${formatCount(rows)} entries to the ledger …`);
  await seedPoints(database, rows);
  const readMemoryMb = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  const memoryBefore = readMemoryMb();
  const request = JSON.stringify({ sort: 'createdAt', direction: 'desc', filter: {}, locale: 'zh-CN' });
  const startTime = performance.now();
  const { id } = (await postRequest('/api/points/export', request, headers)) as { id: string };
  let peakMb = memoryBefore;
  for (;;) {
    const exportList = await httpPool.request({ path: '/api/exports', method: 'GET', headers });
    const job = ((await exportList.body.json()) as ExportJobRow[]).find((candidate) => candidate.id === id);
    peakMb = Math.max(peakMb, readMemoryMb());
    if (job?.state === 'done') break;
    if (job?.state !== 'queued' && job?.state !== 'running') throw new Error(`The export is ${job?.state ?? 'missing'}`);
    await sleep(200);
  }
  const { body } = await httpPool.request({ path: `/api/points/export/${id}`, method: 'GET', headers });
  let lineCount = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    for (const byte of chunk) if (byte === 10) lineCount++;
    peakMb = Math.max(peakMb, readMemoryMb());
  }
  addMeasurement(
    `CSV export of ${formatCount(rows)} rows`,
    `${formatCount(lineCount - 1)} rows in ${((performance.now() - startTime) / 1000).toFixed(1)} s, memory +${(peakMb - memoryBefore).toFixed(0)} MB`,
    'every row, memory < +50 MB',
    lineCount === rows + 1 && peakMb - memoryBefore < 50,
  );
}

function benchmarkImport(headers: Record<string, string>): Promise<void> {
  return measureImport(origin, headers, database, dataDir);
}

async function benchmarkStart(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  try {
    let startMs = 0;
    for (let runNumber = 0; runNumber < 2; runNumber++) {
      const startTime = performance.now();
      const serverProcess = startServer(folder, {}, join(root, 'scripts', 'start.mjs'));
      await serverProcess.ready;
      startMs = performance.now() - startTime;
      serverProcess.child.kill('SIGTERM');
      await serverProcess.ended;
    }
    addMeasurement('second start to ready', `${(startMs / 1000).toFixed(1)} s`, '≤ 5 s', startMs <= 5_000);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function postRequest(path: string, body: string, headers: Record<string, string>): Promise<unknown> {
  const response = await httpPool.request({
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  });
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${await response.body.text()}`);
  return response.body.json();
}

function listInput(cursor: string | null = null, filter: Record<string, string> = {}): string {
  return JSON.stringify({ sort: 'time', direction: 'desc', filter, cursor, limit: 50 });
}

async function signIn(): Promise<Record<string, string>> {
  const response = await httpPool.request({
    path: '/api/session',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@demo.local', password: demoPassword }),
  });
  const { authorization } = (await response.body.json()) as { authorization: string };
  return { authorization, cookie: String(response.headers['set-cookie']).split(';')[0] ?? '' };
}

function readDatabaseUrl(folder: string): string {
  const password = readFileSync(join(folder, 'postgres.secret'), 'utf8');
  const port = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3]);
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/admin_panel`;
}
