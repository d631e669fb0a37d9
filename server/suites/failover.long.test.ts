import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addNews, addPoints, signInAt, startWriters, readWrittenTexts } from '../testing/callers.ts';
import { findDebianPostgres, startPostgresPair, type PostgresPair } from '../testing/postgres-pair.ts';
import { startServer, waitUntil } from '../testing/process.ts';

// The primary dies or is disconnected under two servers, four writers and a reader. The standby takes over.

const folder = mkdtempSync(join(tmpdir(), 'failover-'));
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(() => findDebianPostgres(), 300_000); // installs it if missing
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function startAll(name: string) {
  const pair = await startPostgresPair();
  cleanups.push(pair.stop);
  const servers = [];
  // The first server seeds the database.
  for (const serverIndex of [0, 1]) {
    const server = startServer(join(folder, name), { DEVNET: 'off', LOG_LEVEL: 'info', DATABASE_URL: pair.url });
    cleanups.push(async () => {
      server.child.kill(serverIndex === 0 ? 'SIGTERM' : 'SIGINT');
      await server.ended;
    });
    await server.ready;
    servers.push(server);
  }
  const origins = await Promise.all(servers.map(({ ready }) => ready));
  const session = await signInAt(origins[0] ?? '', 'all');
  return { pair, servers, origins, session };
}

/** Reads continuously and reports the longest time without a response. */
function startReader(origin: string, session: Record<string, string>) {
  let isStopped = false;
  let silenceMs = 0;
  const pendingReads = (async () => {
    for (let lastSuccessAt = Date.now(); !isStopped; await sleep(10)) {
      const response = await fetch(`${origin}/api/session`, { headers: session }).catch(() => null);
      if (response?.status !== 200) continue;
      silenceMs = Math.max(silenceMs, Date.now() - lastSuccessAt);
      lastSuccessAt = Date.now();
    }
  })();
  return async () => {
    isStopped = true;
    await pendingReads;
    return silenceMs;
  };
}

async function compareWithStandby({ standby }: PostgresPair, name: string, acknowledged: readonly string[]) {
  const storedTexts = [
    ...(await readWrittenTexts(standby.url, 'news.title', `${name} `)),
    ...(await readWrittenTexts(standby.url, 'points.reason', `${name} `)),
  ];
  const storedTextSet = new Set(storedTexts);
  return {
    lost: acknowledged.filter((text) => !storedTextSet.has(text)),
    doubled: storedTexts.length - storedTextSet.size,
    there: storedTexts.length,
  };
}

test.each(['killed', 'frozen'] as const)(
  'no acknowledged write is lost or repeated when the primary is %s, and the panel recovers',
  { timeout: 240_000 },
  async (failure) => {
    const { pair, servers, origins, session } = await startAll(failure);
    const writers = startWriters(origins, session, [addNews, addNews, addPoints, addPoints], failure);
    const stopReader = startReader(origins[1] ?? '', session);
    await waitUntil(() => writers.acknowledged() > 100);
    const failedAt = Date.now();
    if (failure === 'killed') await pair.primary.kill();
    else pair.primary.freeze();
    await pair.promote();
    const promotedMs = Date.now() - failedAt;
    const acknowledgedBefore = writers.acknowledged();
    await waitUntil(() => writers.acknowledged() > acknowledgedBefore + 100);
    // The old primary returns and accepts writes, as under a supervisor. No server may write to it.
    if (failure === 'killed') await pair.primary.start({ synchronous_standby_names: '' });
    else pair.primary.thaw();
    await sleep(5_000);
    const acknowledgedAfter = writers.acknowledged();
    await waitUntil(() => writers.acknowledged() > acknowledgedAfter + 100);
    const { sent: sentTexts, acknowledged, refused: refusedTexts, silenceMs } = await writers.stop();
    const readerMs = await stopReader();
    const { lost: lostTexts, doubled: doubledTexts, there: storedTexts } = await compareWithStandby(pair, failure, acknowledged);
    console.log(
      `${failure}: ${sentTexts.length} sent, ${acknowledged.length} acknowledged, ${storedTexts} there, ${lostTexts.length} lost, ${doubledTexts} doubled, ` +
        `${refusedTexts.length} refused and sent again; promoted after ${promotedMs} ms, longest silence ${silenceMs} ms (reads ${readerMs} ms)`,
    );
    expect({ lost: lostTexts, doubled: doubledTexts }).toEqual({ lost: [], doubled: 0 });
    expect(silenceMs).toBeLessThan(15_000);
    expect(servers.every(({ child }) => child.exitCode === null)).toBe(true);
    expect(await readWrittenTexts(pair.primary.url, 'news.title', `${failure} `)).not.toContain(acknowledged.at(-1));
    if (failure === 'killed')
      expect(servers.map((server) => server.output()).join('')).toContain('a host takes writes that another has replaced');
  },
);

test('a write that the synchronous standby lacks is not acknowledged', { timeout: 120_000 }, async () => {
  const { pair, origins, session } = await startAll('waiting');
  pair.standby.freeze();
  let isAnswered = false;
  const pendingWrite = addNews(origins[0] ?? '', session, 'waiting 0').finally(() => (isAnswered = true));
  await sleep(8_000); // longer than a statement may take
  expect(isAnswered).toBe(false);
  pair.standby.thaw();
  expect((await pendingWrite).status).toBe(200);
  expect(await readWrittenTexts(pair.standby.url, 'news.title', 'waiting ')).toEqual(['waiting 0']);
});
