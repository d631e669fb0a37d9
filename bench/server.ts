// npm run bench:server [-- --rows 1000000 --seconds 10 --tenfold --exported 1000000 --only pair,export,imports,statistics,crsms,news --rounds 3 --visits 1000000 --json --strict]: the server's
// rows of the promises, on a database of its own. `--strict` ends with 1 when a promise is not kept, or nothing was measured.
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Pool } from 'undici';
import { fail, SetupError } from '../scripts/setup.mjs';
import { postgresProcesses, startServer } from '../server/testing/process.ts';
import { demoPassword } from '../server/seed/roles.ts';
import { measureIndexing } from './crsm.ts';
import { measureCopy, measureImport, pointsCsv } from './imports.ts';
import type { Held, Load } from './load.ts';
import { measurePairs, startBare } from './pair.ts';
import { fillVisits, measureIngest, measureVisitsCopy, visitReads } from './statistics.ts';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    seconds: { type: 'string', default: '10' },
    exported: { type: 'string', default: '1000000' },
    reads: { type: 'string', default: '1000' },
    writes: { type: 'string', default: '200' },
    tenfold: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    visits: { type: 'string', default: '1000000' },
    json: { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
  },
});
const rows = Number(options.rows);
const seconds = Number(options.seconds);
const partNames = ['pair', 'export', 'imports', 'statistics', 'crsms', 'news'] as const;
const asked = new Set<string>(options.only?.split(',') ?? partNames);
const unknown = [...asked].filter((name) => !partNames.some((part) => part === name));
if (unknown.length > 0) fail(new SetupError(`Unknown part ${unknown.join(', ')}. Available parts: ${partNames.join(', ')}`));

const item = JSON.stringify({
  title: 'Bench #',
  description: 'Written by the benchmark, as long as a usual summary of two or three sentences would be. '.repeat(3),
  image: 'https://example.com/picture.webp',
  time: '2026-01-02T03:04:05.678Z',
  link: 'https://example.com/',
});

const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'bench-')));
const server = startServer(dataDir, { LOG_LEVEL: 'warn', EVENTS_PER_NETWORK: '10000000' });
const origin = await server.ready;
const database = openDatabase();
await database.connect();
const http = new Pool(origin, { connections: 1 });
const table: Row[] = [];

try {
  const headers = await signIn();
  const parts: Record<(typeof partNames)[number], () => Promise<void>> = {
    pair: () => measureBare(headers),
    export: () => measureExport(headers, Number(options.exported)),
    imports: () => measureImports(headers),
    statistics: () => measureStatistics(headers, Number(options.visits)),
    crsms: () => measureCrsms(headers),
    news: () => measureNews(headers),
  };
  for (const [part, measure] of Object.entries(parts)) {
    if (!asked.has(part)) continue;
    // What one part could not measure costs no other its figures, and ends the run with 1 all the same.
    await measure().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
      table.push({ what: part, measured: 'could not be measured', promise: '', kept: false });
    });
  }
  print();
  if (options.strict && (table.length === 0 || table.some(({ kept }) => kept === false))) process.exitCode = 1;
} finally {
  await http.close();
  await database.end();
  server.child.kill('SIGTERM');
  await server.ended;
  rmSync(dataDir, { recursive: true, force: true });
}

interface Row {
  what: string;
  measured: string;
  promise: string;
  kept: boolean | null;
}

/** Ours beside Hono and pg alone, on the same rows. */
async function measureBare(headers: Record<string, string>): Promise<void> {
  await seed(10_000);
  const bare = await startBare(urlOf());
  const pids = (own: number | undefined) => () => [own, ...postgresProcesses(dataDir)];
  try {
    const pairs = await measurePairs(
      { origin, headers, pids: pids(server.child.pid) },
      { origin: bare.origin, headers: {}, pids: pids(bare.pid) },
      {
        seconds,
        rounds: Number(options.rounds),
        generate,
        cpuMs,
        asked: [
          { what: 'list', path: '/api/news/list', bodies: [page(null)] },
          { what: 'public', path: '/public/news?limit=20', method: 'GET', bodies: [] },
          { what: 'write', path: '/api/news', bodies: [item] },
        ],
      },
    );
    for (const { what, ours, bare: least, answered, cpu } of pairs) {
      const most = { list: 2, public: 1.5 }[what] ?? null; // a write's promise is the rate that is held
      table.push({
        what: `${what}, as fast as it can, beside the bare pair`,
        measured: `${ours.answered.toFixed(0)}/s of ${least.answered.toFixed(0)}/s: ${(1 / answered).toFixed(2)} ×; CPU ${ours.cpu.toFixed(2)} of ${least.cpu.toFixed(2)} ms: ${cpu.toFixed(2)} ×`,
        promise: most === null ? '' : `speed ≤ ${most} ×`,
        kept: most === null ? null : 1 / answered <= most,
      });
    }
  } finally {
    bare.stop();
  }
}

// ── Measuring ──────────────────────────────────────────────────────────────

async function measureNews(headers: Record<string, string>): Promise<void> {
  await seed(rows);
  const one = await measurePages(headers);
  report(
    `list page 1 of ${count(rows)} rows, alone`,
    one.first,
    'p95 ≤ 5 × SQL alone',
    percentile(one.first, 95) <= 5 * percentile(one.sql, 95),
  );
  report(
    'list page 1,000, alone',
    one.deep,
    'costs what page 1 costs',
    percentile(one.deep, 50) <= percentile(one.first, 50) * 1.5,
  );
  report('the same page by SQL alone (the machine’s limit)', one.sql, '');

  const reads = Number(options.reads);
  const read = await hold({
    origin,
    headers,
    rate: reads,
    seconds,
    path: '/api/news/list',
    bodies: one.cursors.map((cursor) => page(cursor)),
  });
  reportHeld(`${count(reads)} reads/s held ${seconds} s`, read, reads, 60);

  await seedNotices(10_000);
  for (const path of ['/public/news?limit=20', '/public/notices?platform=desktop&limit=20']) {
    const [name] = path.split('?');
    const fresh = await hold({ origin, headers: {}, method: 'GET', rate: reads, seconds, path, bodies: [] });
    reportHeld(`${name}: ${count(reads)} reads/s held ${seconds} s`, fresh, reads, 60);
    const answer = await http.request({ path, method: 'GET' });
    await answer.body.dump();
    const known = { 'if-none-match': String(answer.headers['etag']) };
    const same = await hold({ origin, headers: known, method: 'GET', status: 304, rate: reads, seconds, path, bodies: [] });
    reportHeld(`${name}, unchanged (304)`, same, reads, 60);
  }

  const writes = Number(options.writes);
  const before = await audited();
  const write = await hold({ origin, headers, rate: writes, seconds, path: '/api/news', bodies: [item] });
  reportHeld(`${count(writes)} audited writes/s held ${seconds} s`, write, writes, 120);
  const isAudited = (await audited()) - before === write.latencies.length - write.failed;
  table.push({ what: 'audit rows equal to writes', measured: isAudited ? 'yes' : 'NO', promise: 'always', kept: isAudited });

  if (options.tenfold) {
    await seed(rows * 9);
    const ten = await measurePages(headers);
    const ratio = percentile(ten.deep, 50) / percentile(one.deep, 50);
    report(`list page 1 of ${count(rows * 10)} rows, alone`, ten.first, '');
    report('list page 1,000, alone', ten.deep, '');
    table.push({
      what: 'page 1,000: tenfold rows to onefold',
      measured: `${ratio.toFixed(2)} ×`,
      promise: '≤ 1.5 ×',
      kept: ratio <= 1.5,
    });
  }
}

async function measureCrsms(headers: Record<string, string>): Promise<void> {
  // The server has read its chain by then, and leaves alone what it knows nothing of.
  for (;;) {
    const answer = await http.request({ path: '/api/crsm/follower', method: 'GET', headers });
    const { state } = (await answer.body.json()) as { state: string };
    if (state === 'ok' || state === 'off') break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  await seedCrsms(1_000);
  for (let warm = 0; warm < 100; warm++) await post('/api/crsm/list', crsmPage(null, 50), headers);
  const first: number[] = [];
  const all: number[] = [];
  for (let round = 0; round < 200; round++) {
    first.push(await timed(() => post('/api/crsm/list', crsmPage(null, 50), headers)));
    if (round % 4 > 0) continue;
    all.push(
      await timed(async () => {
        let cursor: string | null = null;
        do
          ({ nextCursor: cursor } = (await post('/api/crsm/list', crsmPage(cursor, 200), headers)) as {
            nextCursor: string | null;
          });
        while (cursor !== null);
      }),
    );
  }
  report('1,000 CRSMs by nearness to their trigger, page 1', first, 'p95 ≤ 15 ms', percentile(first, 95) <= 15);
  report('all 1,000 of them, page by page', all, '');
  await database.query('create database bench_index');
  const { host, port, user, password } = database;
  const { events, indexMs, rpcMs } = await measureIndexing(
    `postgres://${user}:${encodeURIComponent(String(password))}@${host}:${port}/bench_index`,
    100_000,
  );
  table.push({
    what: `${count(events)} events of a CRSM indexed`,
    measured: `${count(Math.round((events * 1000) / indexMs))} a second; asking the node alone ${count(Math.round((events * 1000) / rpcMs))}`,
    promise: '',
    kept: null,
  });
}

function crsmPage(cursor: string | null, limit: number): string {
  return JSON.stringify({ sort: 'distance', direction: 'asc', filter: {}, cursor, limit });
}

async function measureImports(headers: Record<string, string>): Promise<void> {
  await measureImport(origin, headers, database, pointsCsv(2_000)); // warm
  const some = await measureImport(origin, headers, database, pointsCsv(10_000, 137));
  const ms = some.checkMs + some.takeMs;
  const isRight = some.imported === 9_863 && some.bad === 137;
  table.push({
    what: 'import of 10,000 rows, 137 of them bad',
    measured: `${(ms / 1000).toFixed(1)} s, ${count(some.imported)} in, ${some.bad} back`,
    promise: '≤ 5 s, 9,863 in',
    kept: isRight && ms <= 5_000,
  });
  const all = await measureImport(origin, headers, database, pointsCsv(100_000));
  const copyMs = await measureCopy(database, all.id, dataDir);
  table.push({
    what: 'import of 100,000 rows: checked, then taken in',
    measured: `${(all.checkMs / 1000).toFixed(1)} s + ${(all.takeMs / 1000).toFixed(1)} s, ${count(Math.round(all.rows / (all.takeMs / 1000)))} rows/s`,
    promise: '≤ 10 × COPY',
    kept: all.imported === 100_000 && all.checkMs + all.takeMs <= 10 * copyMs,
  });
  table.push({
    what: 'the same rows by COPY alone (the machine’s limit)',
    measured: `${(copyMs / 1000).toFixed(1)} s; the import takes ${(all.takeMs / copyMs).toFixed(1)} ×`,
    promise: '',
    kept: null,
  });
}

/** Ingest beside COPY; then what people look at over a tenth of the visits, and over all of them. */
async function measureStatistics(headers: Record<string, string>, most: number): Promise<void> {
  const lines = 20_000;
  const pool = new Pool(origin, { connections: 4 });
  await measureIngest(pool, 20); // warm
  const taken = await measureIngest(pool, lines / 100);
  await pool.close();
  const copied = await measureVisitsCopy(database, lines, dataDir);
  table.push({
    what: `ingest of ${count(lines)} visits in batches of 100, beside COPY of as many`,
    measured: `${count(Math.round(taken))}/s, COPY ${count(Math.round(copied))}/s: ${(copied / taken).toFixed(1)} ×`,
    promise: '',
    kept: null,
  });
  const { rows: found } = await database.query<{ n: number }>('select count(*)::int as n from visits');
  const there = found[0]?.n ?? 0;
  const few = Math.round(most / 10);
  if (there > few)
    throw new Error(
      `${count(there)} visits are there, more than the tenth that is measured first: --visits ${there * 10} at least`,
    );
  const url = urlOf();
  console.error(`Adding ${count(most)} visits …`);
  await fillVisits(url, there, few);
  const before = await readVisits(headers);
  const rate = await fillVisits(url, few, most);
  const after = await readVisits(headers);
  table.push({ what: 'the generator', measured: `${count(Math.round(rate))} visits/s`, promise: '', kept: null });
  for (const [what, latencies] of after) {
    const small = before.get(what) ?? [];
    const [p95, p95Small] = [percentile(latencies, 95), percentile(small, 95)];
    table.push({
      what: `visits: ${what}`,
      measured: `p95 ${p95.toFixed(1)} ms over ${count(most)}, ${p95Small.toFixed(1)} ms over ${count(few)}`,
      promise: '',
      kept: null,
    });
  }
  const { rows: size } = await database.query<{ bytes: string }>(
    "select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('visits')",
  );
  const bytes = Math.round(Number(size[0]?.bytes) / most);
  table.push({ what: 'a visit with its indexes', measured: `${count(bytes)} bytes`, promise: '', kept: null });
  await measureVisitsExport(headers, Math.min(most, Number(options.exported)));
  await measureProcesses(headers);
}

/** A second server on the same database: what both read together beside what one reads, held at a rate and as fast as they can. */
async function measureProcesses(headers: Record<string, string>): Promise<void> {
  const own = mkdtempSync(join(tmpdir(), 'bench-second-'));
  const second = startServer(own, { LOG_LEVEL: 'warn', DATABASE_URL: urlOf() });
  try {
    const both = [
      { origin, pid: server.child.pid },
      { origin: await second.ready, pid: second.child.pid },
    ];
    for (const rate of [100, 'full'] as const) {
      const read = async (on: typeof both) => {
        const pids = [on.map(({ pid }) => pid), postgresProcesses(dataDir)] as const;
        const before = pids.map(cpuMs);
        const [call, asked] = visitReads['list page 1'];
        const load = { headers, rate, seconds, path: `/api/statistics/dataView/${call}`, bodies: [JSON.stringify(asked)] };
        const held = await Promise.all(on.map((server) => generate({ ...load, origin: server.origin })));
        const [servers = 0, postgres = 0] = pids.map((some, index) => cpuMs(some) - (before[index] ?? 0));
        const latencies = held.flatMap((one) => one.latencies);
        if (held.some(({ failed }) => failed > 0)) throw new Error('a read failed');
        return {
          answered: held.reduce((sum, one) => sum + one.answered, 0),
          p99: percentile(latencies, 99),
          cpu: `${(servers / latencies.length).toFixed(2)} + ${(postgres / latencies.length).toFixed(2)} ms`,
        };
      };
      await read(both); // warm
      const [one, two] = [await read(both.slice(0, 1)), await read(both)];
      table.push({
        what: `two servers on one database, ${rate === 'full' ? 'as fast as they can' : `${rate} reads/s each`}`,
        measured: `${two.answered.toFixed(0)}/s p99 ${two.p99.toFixed(0)} ms, one ${one.answered.toFixed(0)}/s p99 ${one.p99.toFixed(0)} ms: ${(two.answered / one.answered).toFixed(2)} ×; CPU of server + database each ${two.cpu}, one ${one.cpu}`,
        promise: '',
        kept: null,
      });
    }
  } finally {
    second.child.kill('SIGTERM');
    await second.ended;
    rmSync(own, { recursive: true, force: true });
  }
}

async function readVisits(headers: Record<string, string>): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const [what, [call, asked]] of Object.entries(visitReads)) {
    const body = JSON.stringify(asked);
    const read = () => post(`/api/statistics/dataView/${call}`, body, headers);
    await read(); // warm
    const latencies: number[] = [];
    for (let round = 0; round < 40; round++) latencies.push(await timed(read));
    found.set(what, latencies);
  }
  return found;
}

async function measureVisitsExport(headers: Record<string, string>, number: number): Promise<void> {
  const { rows: edge } = await database.query<{ at: Date }>('select at from visits order by at desc offset $1 limit 1', [
    number - 1,
  ]);
  const filter = { time: `${edge[0]?.at.toISOString()}..` };
  const asked = JSON.stringify({ sort: 'at', direction: 'desc', filter, locale: 'en-US' });
  const { id, rows: found } = (await post('/api/statistics/dataView/export', asked, headers)) as { id: string; rows: number };
  const started = performance.now();
  const answer = await http.request({ path: `/api/statistics/dataView/export/${id}`, method: 'GET', headers });
  let firstByte = 0;
  let got = 0;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    firstByte ||= performance.now() - started;
    for (const byte of chunk) if (byte === 10) got++;
  }
  table.push({
    what: `visits: CSV export of ${count(found)}`,
    measured: `first byte ${firstByte.toFixed(0)} ms, ${((performance.now() - started) / 1000).toFixed(1)} s`,
    promise: 'every row',
    kept: got === found + 1,
  });
}

async function measurePages(headers: Record<string, string>) {
  const cursors: (string | null)[] = [null];
  for (let number = 1; number < 1000; number++) {
    const { nextCursor } = (await post('/api/news/list', page(cursors.at(-1) ?? null), headers)) as { nextCursor: string | null };
    if (nextCursor === null) throw new Error(`there are only ${number} pages`);
    cursors.push(nextCursor);
  }
  const first: number[] = [];
  const deep: number[] = [];
  const sql: number[] = [];
  // In turn, so that a busy moment of the machine meets them all.
  for (let round = 0; round < 300; round++) {
    first.push(await timed(() => post('/api/news/list', page(null), headers)));
    deep.push(await timed(() => post('/api/news/list', page(cursors.at(-1) ?? null), headers)));
    sql.push(
      await timed(() =>
        database.query({
          name: 'page',
          text: 'select * from news where (time, id) < (now(), $1) order by time desc, id desc limit 51',
          values: ['ffffffff-ffff-ffff-ffff-ffffffffffff'],
        }),
      ),
    );
  }
  return { first, deep, sql, cursors: cursors.slice(1) };
}

/** The ledger as a CSV, read as fast as it comes: how soon, how fast, and what it costs the server in memory. */
async function measureExport(headers: Record<string, string>, number: number): Promise<void> {
  await seedPoints(number);
  const asked = JSON.stringify({ sort: 'createdAt', direction: 'desc', filter: {}, locale: 'zh-CN' });
  const before = memoryMb();
  const { id, rows: found } = (await post('/api/points/export', asked, headers)) as { id: string; rows: number };
  const started = performance.now();
  const answer = await http.request({ path: `/api/points/export/${id}`, method: 'GET', headers });
  let firstByte = 0;
  let lines = 0;
  let peak = before;
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    firstByte ||= performance.now() - started;
    for (const byte of chunk) if (byte === 10) lines++;
    peak = Math.max(peak, memoryMb());
  }
  const seconds = (performance.now() - started) / 1000;
  const isWhole = found === number && lines === number + 1;
  table.push({
    what: `CSV export of ${count(number)} rows`,
    measured: `first byte ${firstByte.toFixed(0)} ms, ${seconds.toFixed(1)} s, memory +${(peak - before).toFixed(0)} MB${isWhole ? '' : `, ONLY ${lines - 1} ROWS`}`,
    promise: 'first byte ≤ 300 ms, memory < +50 MB',
    kept: firstByte <= 300 && peak - before < 50 && isWhole,
  });
}

/** What the server process holds in memory, in MB. */
function memoryMb(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function hold(load: Load): Promise<Held & { cpu: number }> {
  const before = cpuMs([server.child.pid]);
  const held = await generate(load);
  return { ...held, cpu: (cpuMs([server.child.pid]) - before) / held.latencies.length };
}

function generate(load: Load): Promise<Held> {
  const child = fork(new URL('load.ts', import.meta.url), { execArgv: ['--import', 'tsx'] });
  return new Promise<Held>((resolve, reject) => {
    child.once('message', (message: Held) => resolve(message));
    child.once('exit', (code) => reject(new Error(`the load generator ended (${code})`)));
    child.send(load);
  });
}

/**
 * Milliseconds of processor these have used, and their children that have ended: PostgreSQL has a process for each connection, and
 * one that is given up between two looks would take its time with it. Neighbours on the machine do not change it much.
 */
function cpuMs(pids: readonly (number | undefined)[]): number {
  return pids.reduce<number>((sum, pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return sum + fields.slice(11, 15).reduce((ticks, field) => ticks + Number(field), 0) * 10;
    } catch {
      return sum;
    }
  }, 0);
}

async function post(path: string, body: string, headers: Record<string, string>): Promise<unknown> {
  const answer = await http.request({ path, method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
  if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${await answer.body.text()}`);
  return answer.body.json();
}

function page(cursor: string | null): string {
  return JSON.stringify({ sort: 'time', direction: 'desc', filter: {}, cursor, limit: 50 });
}

async function signIn(): Promise<Record<string, string>> {
  const answer = await http.request({
    path: '/api/session',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@demo.local', password: demoPassword }),
  });
  const { authorization } = (await answer.body.json()) as { authorization: string };
  return { authorization, cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '' };
}

// ── The database ───────────────────────────────────────────────────────────

function openDatabase(): pg.Client {
  return new pg.Client({ connectionString: urlOf() });
}

function urlOf(): string {
  const password = readFileSync(join(dataDir, 'postgres.secret'), 'utf8');
  const port = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3]);
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/admin_panel`;
}

/** A ledger that could be: its balances are its sums. */
async function seedPoints(number: number): Promise<void> {
  console.error(`Adding ${count(number)} entries to the ledger …`);
  await withoutIndexes('points', () =>
    database.query(
      `insert into points (id, address, berries, reason, source, administrator_email, created_at)
     select gen_random_uuid(), '0x' || lpad(to_hex(n % 50000), 40, '0'), 1 + n % 900, 'YU mint reward ' || n, 'adjustment', 'bench@x.y',
            date_trunc('milliseconds', now() - n * interval '20 seconds')
       from generate_series(1, $1::int - (select count(*)::int from points)) as n`, // beside the demo's
      [number],
    ),
  );
  await database.query('delete from point_balances');
  await database.query(
    'insert into point_balances select address, sum(berries), count(*), max(created_at) from points group by address',
  );
}

/** Adds rows of random order, as they come in life. */
async function seed(number: number): Promise<void> {
  console.error(`Adding ${count(number)} news …`);
  await withoutIndexes('news', () =>
    database.query(
      `insert into news (id, title, description, image, time, link, shown, created_at, updated_at)
       select gen_random_uuid(), '比特币 Bitcoin ' || md5(n::text), repeat('What happened and why it matters. ', 5),
              'https://example.com/' || n || '.webp', at, 'https://example.com/news/' || n, n % 3 > 0, at, at
         from generate_series(1, $1::int) as n, lateral (select date_trunc('milliseconds', now() - random() * n / n * interval '5 years') as at) as times`,
      [number],
    ),
  );
}

/** Fills a table and makes its indexes anew afterwards, which is many times faster. */
async function withoutIndexes(name: 'news' | 'points', fill: () => Promise<unknown>): Promise<void> {
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename = $1 and indexname not in (select conname from pg_constraint where conrelid = $1::regclass)`,
    [name],
  );
  for (const index of indexes) await database.query(`drop index ${index.name}`);
  await fill();
  await database.query("set maintenance_work_mem = '1GB'");
  for (const { definition } of indexes) await database.query(definition);
  await database.query(`vacuum analyze ${name}`);
}

/** Notices as they pile up over years: half of them shown, of these most over, some to come. */
async function seedNotices(number: number): Promise<void> {
  console.error(`Adding ${count(number)} notices …`);
  await database.query(
    `insert into notices (id, content, link, platform, shown, starts_at, ends_at, creator_email, created_at, updated_at)
     select gen_random_uuid(), '公告 Notice ' || md5(n::text), 'https://example.com/notices/' || n,
            (array['all', 'desktop', 'mobile'])[1 + n % 3], n % 2 = 0, at, case when n % 50 > 0 then at + interval '7 days' end,
            'bench@demo.local', at, at
       from generate_series(1, $1::int) as n,
            lateral (select date_trunc('milliseconds', now() + interval '30 days' - n * interval '3 hours') as at) as times`,
    [number],
  );
  await database.query('vacuum analyze notices');
}

async function seedCrsms(number: number): Promise<void> {
  await database.query(
    `insert into crsms (address, token_id, trove_manager, trove_id, owner, created_at, collateral, debt, total_debt, icr, liquidation_price,
       mcr, price, trgcr, tarcr, max_tarcr, deposits, distance, block, read_at, collateral_gains)
     select '0x' || lpad(to_hex(n), 40, '0'), n, '0x' || repeat('1', 40), n, '0x' || lpad(to_hex(n % 50), 40, '0'), now() - n * interval '1 hour',
       n * 1e18, n * 4e22, n * 4e22, 15e17 + n * 1e15, 4e22, 11e17, 1e23, 15e17, 18e17, 2e18, n * 1e21, (n - 100) * 1e15, 1, now(),
       '[{"token":"0x1111111111111111111111111111111111111111","symbol":"YBTC","amount":"1000000000000000000"}]'
     from generate_series(1, $1::int) as n`,
    [number],
  );
  await database.query('vacuum analyze crsms');
}

async function audited(): Promise<number> {
  const { rows: found } = await database.query<{ count: number }>(
    `select count(*)::int as count from audit where entity = 'news'`,
  );
  return found[0]?.count ?? 0;
}

// ── Telling ────────────────────────────────────────────────────────────────

function percentile(latencies: readonly number[], percent: number): number {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * percent) / 100) - 1)] ?? Number.NaN;
}

function report(what: string, latencies: readonly number[], promise: string, kept: boolean | null = null): void {
  const measured = `p50 ${percentile(latencies, 50).toFixed(1)} ms, p95 ${percentile(latencies, 95).toFixed(1)} ms`;
  table.push({ what, measured, promise, kept });
}

function reportHeld(
  what: string,
  { latencies, failed, answered, cpu }: Held & { cpu: number },
  rate: number,
  limit: number,
): void {
  const p99 = percentile(latencies, 99);
  table.push({
    what,
    measured: `p50 ${percentile(latencies, 50).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${answered.toFixed(0)}/s, ${failed} failed, ${cpu.toFixed(2)} ms of server CPU each`,
    promise: `p99 ≤ ${limit} ms`,
    kept: p99 <= limit && failed === 0 && answered >= rate * 0.98,
  });
}

function print(): void {
  if (options.json) {
    console.log(JSON.stringify(table, null, 2));
    return;
  }
  const widths = [Math.max(...table.map(({ what }) => what.length)), Math.max(...table.map(({ measured }) => measured.length))];
  console.log();
  for (const { what, measured, promise, kept } of table) {
    const verdict = kept === null ? '' : kept ? '✓' : '✗';
    console.log(`${what.padEnd(widths[0] ?? 0)}  ${measured.padEnd(widths[1] ?? 0)}  ${promise} ${verdict}`.trimEnd());
  }
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
