import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { addNews, addPoints, signInAt, startWriters, writtenReasons } from '../testing/callers.ts';
import { debianPostgres, startPostgresPair, type PostgresPair } from '../testing/postgres-pair.ts';
import { startServer, waitUntil } from '../testing/process.ts';

// The primary dies or is disconnected under two servers, four writers and a reader. The standby takes over.

const folder = mkdtempSync(join(tmpdir(), 'failover-'));
const ends: (() => Promise<unknown>)[] = [];

beforeAll(() => debianPostgres(), 300_000); // installs it if missing
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function startAll(name: string) {
  const pair = await startPostgresPair();
  ends.push(pair.stop);
  const servers = [];
  // The first server seeds the database.
  for (const at of [0, 1]) {
    const server = startServer(join(folder, name), { DEVNET: 'off', LOG_LEVEL: 'info', DATABASE_URL: pair.url });
    ends.push(async () => {
      server.child.kill(at === 0 ? 'SIGTERM' : 'SIGINT');
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
  let over = false;
  let silenceMs = 0;
  const work = (async () => {
    for (let last = Date.now(); !over; await sleep(10)) {
      const response = await fetch(`${origin}/api/session`, { headers: session }).catch(() => null);
      if (response?.status !== 200) continue;
      silenceMs = Math.max(silenceMs, Date.now() - last);
      last = Date.now();
    }
  })();
  return async () => {
    over = true;
    await work;
    return silenceMs;
  };
}

async function compare({ standby }: PostgresPair, name: string, acknowledged: readonly string[]) {
  const there = [
    ...(await writtenReasons(standby.url, 'news.title', `${name} `)),
    ...(await writtenReasons(standby.url, 'points.reason', `${name} `)),
  ];
  const known = new Set(there);
  return { lost: acknowledged.filter((text) => !known.has(text)), doubled: there.length - known.size, there: there.length };
}

test.each(['killed', 'frozen'] as const)(
  'no acknowledged write is lost or repeated when the primary is %s, and the panel recovers',
  { timeout: 240_000 },
  async (how) => {
    const { pair, servers, origins, session } = await startAll(how);
    const writers = startWriters(origins, session, [addNews, addNews, addPoints, addPoints], how);
    const stopReader = startReader(origins[1] ?? '', session);
    await waitUntil(() => writers.acknowledged() > 100);
    const before = Date.now();
    if (how === 'killed') await pair.primary.kill();
    else pair.primary.freeze();
    await pair.promote();
    const promotedMs = Date.now() - before;
    const then = writers.acknowledged();
    await waitUntil(() => writers.acknowledged() > then + 100);
    // The old primary returns and accepts writes, as under a supervisor. No server may write to it.
    if (how === 'killed') await pair.primary.start({ synchronous_standby_names: '' });
    else pair.primary.thaw();
    await sleep(5_000);
    const again = writers.acknowledged();
    await waitUntil(() => writers.acknowledged() > again + 100);
    const { sent, acknowledged, refused, silenceMs } = await writers.stop();
    const readerMs = await stopReader();
    const { lost, doubled, there } = await compare(pair, how, acknowledged);
    console.log(
      `${how}: ${sent.length} sent, ${acknowledged.length} acknowledged, ${there} there, ${lost.length} lost, ${doubled} doubled, ` +
        `${refused.length} refused and sent again; promoted after ${promotedMs} ms, longest silence ${silenceMs} ms (reads ${readerMs} ms)`,
    );
    expect({ lost, doubled }).toEqual({ lost: [], doubled: 0 });
    expect(silenceMs).toBeLessThan(15_000);
    expect(servers.every(({ child }) => child.exitCode === null)).toBe(true);
    expect(await writtenReasons(pair.primary.url, 'news.title', `${how} `)).not.toContain(acknowledged.at(-1));
    if (how === 'killed')
      expect(servers.map((server) => server.output()).join('')).toContain('a host takes writes that another has replaced');
  },
);

test('a write that the synchronous standby lacks is not acknowledged', { timeout: 120_000 }, async () => {
  const { pair, origins, session } = await startAll('waiting');
  pair.standby.freeze();
  let answered = false;
  const write = addNews(origins[0] ?? '', session, 'waiting 0').finally(() => (answered = true));
  await sleep(8_000); // longer than a statement may take
  expect(answered).toBe(false);
  pair.standby.thaw();
  expect((await write).status).toBe(200);
  expect(await writtenReasons(pair.standby.url, 'news.title', 'waiting ')).toEqual(['waiting 0']);
});
