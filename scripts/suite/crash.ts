// npm run test:crash -- --rounds 200
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import {
  findPostgresProcesses,
  readPostmasterPid,
  startServer,
  waitUntil,
  type ServerProcess,
} from '../../server/testing/process.ts';
import { demoAccounts, demoPassword } from '../../server/seed/roles.ts';

const killTargets = ['both', 'backend', 'server', 'postgres'] as const;
type KilledProcess = (typeof killTargets)[number];

interface ExpectedNews {
  version: number;
  title: string;
  shown: boolean;
  isDeleted: boolean;
  writes: number;
}

/** Repeated with the same bytes and key until acknowledged. */
interface Write {
  method: string;
  path: string;
  body: Record<string, unknown>;
  key: string;
}

export interface CrashReport {
  rounds: number;
  acknowledged: number;
  /** Writes repeated after a lost response. */
  repeated: number;
  faults: string[];
}

interface Session {
  authorization: string;
  cookie: string;
}

/** All rounds use one data folder. */
export async function runCrashTest({ rounds, dataDir, log = () => {} }: CrashOptions): Promise<CrashReport> {
  const report: CrashReport = { rounds, acknowledged: 0, repeated: 0, faults: [] };
  const expected = new Map<string, ExpectedNews>();
  let server = startServer(dataDir, { LOG_LEVEL: 'fatal', DEVNET: 'off', DEMO_NEWS: 'off' });
  let origin = await server.ready;
  const session = await signIn(origin);
  const previousDatabase = await readDatabase(dataDir);

  for (let round = 0; round < rounds; round++) {
    const killTarget = killTargets[round % killTargets.length] ?? 'server';
    let isWritingOver = false;
    const acknowledgedBefore = report.acknowledged;
    const writers = Array.from({ length: 6 }, (_, index) =>
      runWriter(`r${round}w${index}`, {
        session,
        expected,
        report,
        origin: () => origin,
        isOver: () => isWritingOver,
      }),
    );
    const writersDone = Promise.all(writers);
    await Promise.race([waitUntil(() => report.acknowledged >= acknowledgedBefore + 12), writersDone]); // on a slow machine too
    await sleep(Math.random() * 350);
    const killedAt = performance.now();
    killProcess(killTarget, server, dataDir);
    if (killTarget === 'server' || killTarget === 'both') {
      await server.ended;
      // Writers must also meet a stopped server.
      await sleep(Math.random() * 100);
      server = startServer(dataDir, { LOG_LEVEL: 'fatal', DEVNET: 'off', DEMO_NEWS: 'off' });
      origin = await server.ready;
    }
    await Promise.race([waitUntil(() => isReady(origin)), waitForExit(server)]);
    const recoveryMs = performance.now() - killedAt;
    await sleep(100);
    isWritingOver = true;
    await writersDone;
    const databaseState = await readDatabase(dataDir);
    report.faults.push(
      ...compareDatabase(expected, databaseState, previousDatabase).map((fault) => `round ${round} (${killTarget}): ${fault}`),
    );
    if (server.child.exitCode !== null || server.child.signalCode !== null)
      report.faults.push(`round ${round}: the server is down`);
    log(
      `round ${round + 1}: killed ${killTarget}, ready after ${(recoveryMs / 1000).toFixed(1)} s, ${report.acknowledged} writes acknowledged so far`,
    );
  }
  server.child.kill('SIGTERM');
  await server.ended;
  return report;
}

const isReady = (origin: string) =>
  fetch(`${origin}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** Rejects if the server exits without being killed. */
async function waitForExit(server: ServerProcess): Promise<never> {
  const { code, signal } = await server.ended;
  throw new Error(`the server stopped unexpectedly (${signal ?? code}): ${server.output()}`);
}

interface CrashOptions {
  rounds: number;
  dataDir: string;
  log?: (line: string) => void;
}

function killProcess(killTarget: KilledProcess, server: ServerProcess, dataDir: string): void {
  const postmaster = readPostmasterPid(dataDir);
  if (killTarget === 'backend') {
    const workers = findPostgresProcesses(dataDir).filter((pid) => pid !== postmaster);
    const pid = workers[Math.floor(Math.random() * workers.length)];
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    return;
  }
  if (killTarget !== 'postgres') server.child.kill('SIGKILL');
  if (killTarget !== 'server') process.kill(postmaster, 'SIGKILL');
}

interface WriterOptions {
  session: Session;
  expected: Map<string, ExpectedNews>;
  report: CrashReport;
  origin: () => string;
  isOver: () => boolean;
}

async function runWriter(name: string, { session, expected, report, origin, isOver }: WriterOptions): Promise<void> {
  let ownNews: { id: string; version: number } | null = null;
  for (let step = 0; !isOver(); step++) {
    const title = `crash ${name} ${step}`;
    const fields = {
      title,
      description: 'written while something is killed',
      image: 'https://example.com/a.webp',
      time: '2026-01-02T03:04:05.678Z',
      link: 'https://example.com/',
    };
    const key = `${name}-${step}-${Math.random().toString(36).slice(2)}`;
    const items = ownNews ? [ownNews] : [];
    const write: Write = !ownNews
      ? { method: 'POST', path: '/api/news', body: fields, key }
      : step % 4 === 1
        ? { method: 'PUT', path: '/api/news', body: { ...fields, ...ownNews }, key }
        : step % 4 === 2
          ? { method: 'POST', path: '/api/news/show', body: { items }, key }
          : { method: 'POST', path: '/api/news/delete', body: { items }, key };
    const response = await writeUntilAcknowledged(write, { session, report, origin });
    report.acknowledged++;
    if (write.path === '/api/news') {
      const { id, version } = response as { id: string; version: number };
      expected.set(id, { version, title, shown: false, isDeleted: false, writes: (expected.get(id)?.writes ?? 0) + 1 });
      ownNews = { id, version };
    } else if (ownNews) {
      const { done } = response as { done: { id: string; version?: number }[] };
      const row: ExpectedNews | undefined = expected.get(ownNews.id);
      if (!row || done.length !== 1) throw new Error(`${write.path} answered ${JSON.stringify(response)}`);
      row.writes++;
      if (write.path === '/api/news/show') {
        row.version = done[0]?.version ?? -1;
        row.shown = true;
        ownNews = { id: ownNews.id, version: row.version };
        // Half of the rows remain to be lost.
        if (step % 8 < 4) ownNews = null;
      } else {
        row.isDeleted = true;
        ownNews = null;
      }
    }
  }
}

async function writeUntilAcknowledged(
  write: Write,
  { session, report, origin }: Pick<WriterOptions, 'session' | 'report' | 'origin'>,
): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    if (attempt === 1) report.repeated++;
    try {
      const response = await fetch(`${origin()}${write.path}`, {
        method: write.method,
        headers: { ...session, 'content-type': 'application/json', 'idempotency-key': write.key },
        body: JSON.stringify(write.body),
      });
      const body: unknown = await response.json();
      if (response.status === 200) return body;
      const code = (body as { code?: string }).code;
      if (code !== 'UNAVAILABLE' && code !== 'IN_PROGRESS')
        throw new Error(`${write.method} ${write.path} answered ${response.status} ${JSON.stringify(body)}`);
    } catch (error) {
      // All that a killed server looks like.
      if (!(error instanceof TypeError) && !(error instanceof SyntaxError)) throw error;
    }
    await sleep(30);
  }
}

async function signIn(origin: string): Promise<Session> {
  const email = demoAccounts.find(({ role }) => role === 'editor')?.email;
  const response = await fetch(`${origin}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: demoPassword }),
  });
  const { authorization } = (await response.json()) as { authorization: string };
  return { authorization, cookie: response.headers.get('set-cookie')?.split(';')[0] ?? '' };
}

interface DatabaseState {
  news: Map<string, { version: number; title: string; shown: boolean }>;
  audited: Map<string, number>;
}

/** Bypasses the server. */
async function readDatabase(dataDir: string): Promise<DatabaseState> {
  const password = readFileSync(join(dataDir, 'postgres.secret'), 'utf8');
  const port = Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[3]);
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', password, database: 'admin_panel' });
  await client.connect();
  try {
    const news = await client.query<{ id: string; version: number; title: string; shown: boolean }>(
      'select id, version, title, shown from news',
    );
    const auditedWrites = await client.query<{ id: string; writes: number }>(
      `select entity_id::text as id, count(*)::int as writes from audit where entity = 'news' and result = 'done' group by 1`,
    );
    return {
      news: new Map(news.rows.map((row) => [row.id, row])),
      audited: new Map(auditedWrites.rows.map(({ id, writes }) => [id, writes])),
    };
  } finally {
    await client.end();
  }
}

function compareDatabase(
  expected: ReadonlyMap<string, ExpectedNews>,
  databaseState: DatabaseState,
  previousDatabase: DatabaseState,
): string[] {
  const faults: string[] = [];
  for (const [id, { version, title, shown, isDeleted, writes }] of expected) {
    const row = databaseState.news.get(id);
    if (isDeleted ? row : !row || row.version !== version || row.title !== title || row.shown !== shown)
      faults.push(
        `news ${id} should be ${isDeleted ? 'deleted' : `"${title}" version ${version}`} but is ${JSON.stringify(row) ?? 'missing'}`,
      );
    const auditedCount = databaseState.audited.get(id) ?? 0;
    if (auditedCount !== writes) faults.push(`news ${id} was written ${writes} times but audited ${auditedCount} times`);
  }
  for (const id of [...databaseState.news.keys(), ...databaseState.audited.keys()]) {
    if (!expected.has(id) && !previousDatabase.news.has(id) && !previousDatabase.audited.has(id))
      faults.push(`news ${id} was written without being acknowledged`);
  }
  return faults;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'crash-')));
  const report = await runCrashTest({ rounds: Number(values.rounds), dataDir: folder, log: console.log });
  rmSync(folder, { recursive: true, force: true });
  console.log(
    `${report.rounds} kills, ${report.acknowledged} acknowledged writes, ${report.repeated} retried, ${report.faults.length} faults`,
  );
  for (const fault of report.faults.slice(0, 50)) console.log(`  ${fault}`);
  process.exitCode = report.faults.length === 0 ? 0 : 1;
}
