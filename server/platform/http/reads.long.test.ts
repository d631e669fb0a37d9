import { beforeAll, describe, expect, test } from 'vitest';
import { mostReads } from '../../../api/reads.ts';
import { apiOf, send, signInAs, testApp, type SignedIn, type TestApp } from '../../testing/support.ts';

let app: TestApp;
let all: SignedIn;
let editor: SignedIn;
beforeAll(async () => {
  app = await testApp();
  [all, editor] = [await signInAs(app, 'all'), await signInAs(app, 'editor')];
});

interface Line {
  at: number;
  status: number;
  json: { code?: string; rows?: unknown[]; data?: { requestId?: string } };
}
const page = { sort: 'time', direction: 'desc', filter: {}, cursor: null, limit: 2 } as const;
const notices = { ...page, sort: 'createdAt' } as const;
const ask = (calls: unknown, who: SignedIn = all) => send(app, 'POST', '/rpc/reads', { calls }, who.headers);
const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
const answers = async (calls: unknown, who: SignedIn = all) => {
  const response = await ask(calls, who);
  expect(response.status).toBe(200);
  return { response, lines: linesOf(await response.text()).sort((a, b) => a.at - b.at) };
};
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

describe('several reads in one request', () => {
  test('each give what they give alone', async () => {
    const { lines, response } = await answers([
      { path: 'news/list', input: page },
      { path: 'crsm/follower' },
      { path: 'notices/list', input: notices },
    ]);
    expect(lines.map(({ at, status }) => [at, status])).toEqual([
      [0, 200],
      [1, 200],
      [2, 200],
    ]);
    const api = apiOf(app, all.headers);
    expect(lines[0]?.json).toEqual(await api.news.list(page));
    expect(lines[2]?.json).toEqual(await api.notices.list(notices));
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test('are each asked for their right and for a valid input, and none fails with another', async () => {
    const { lines, response } = await answers(
      [
        { path: 'news/list', input: page },
        { path: 'administrators/list', input: page },
        { path: 'notices/list', input: { ...notices, limit: 'many' } },
      ],
      editor,
    );
    expect(lines.map(({ status, json }) => [status, json.code])).toEqual([
      [200, undefined],
      [403, 'FORBIDDEN'],
      [400, 'BAD_REQUEST'],
    ]);
    expect(lines[1]?.json.data?.requestId).toBe(response.headers.get('x-request-id'));
  });

  test('come as they are ready: one that waits holds nobody back', async () => {
    const lock = await app.database.pool.connect();
    await lock.query('begin; lock table news in access exclusive mode');
    try {
      const response = await ask([
        { path: 'news/list', input: page },
        ...Array.from({ length: 6 }, () => ({ path: 'notices/list', input: notices })),
      ]);
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const decoder = new TextDecoder();
      let text = '';
      while (text.split('\n').length <= 6) text += decoder.decode((await reader.read()).value);
      expect(linesOf(text).map(({ at }) => at)).not.toContain(0);
      await lock.query('rollback');
      for (let part = await reader.read(); !part.done; part = await reader.read()) text += decoder.decode(part.value);
      expect(linesOf(text).at(-1)).toMatchObject({ at: 0, status: 200 });
    } finally {
      await lock.query('rollback');
      lock.release();
    }
  });

  test('end with whoever asked: what has not begun is not begun', async () => {
    const lock = await app.database.pool.connect();
    const read = () => app.logged.filter((line) => line.includes('/rpc/news/list')).length;
    const before = read();
    await lock.query('begin; lock table news in access exclusive mode');
    try {
      const response = await ask(Array.from({ length: 9 }, () => ({ path: 'news/list', input: page })));
      await response.body?.cancel();
      await lock.query('commit');
      await expect.poll(() => read() - before).toBe(4);
      await answers([{ path: 'notices/list', input: notices }]); // what would have come has had its time
      expect(read() - before).toBe(4);
    } finally {
      lock.release();
    }
  });

  test('are asked who asks when each begins: what begins after the session has ended is refused', async () => {
    const who = await signInAs(app, 'all');
    const lock = await app.database.pool.connect();
    const waiting = async () =>
      (
        await lock.query<{ n: number }>(
          `select count(distinct pid)::int as n from pg_locks where relation = 'news'::regclass and not granted`,
        )
      ).rows[0]?.n ?? 0;
    await lock.query('begin; lock table news in access exclusive mode');
    try {
      const response = await ask(
        Array.from({ length: 6 }, () => ({ path: 'news/list', input: page })),
        who,
      );
      await expect.poll(waiting).toBeGreaterThanOrEqual(4); // they have begun, and wait for the table
      await who.api.session.signOut();
      await lock.query('commit');
      const lines = linesOf(await response.text()).sort((a, b) => a.at - b.at);
      expect(lines.map(({ status }) => status)).toEqual([200, 200, 200, 200, 401, 401]);
    } finally {
      lock.release();
    }
  });

  test('are waited for by a server that stops, though their answer has begun', async () => {
    const stopping = await testApp();
    const { headers } = await signInAs(stopping, 'all');
    const lock = await stopping.database.pool.connect();
    await lock.query('begin; lock table news in access exclusive mode');
    const calls = Array.from({ length: 6 }, () => ({ path: 'news/list', input: page }));
    const response = await send(stopping, 'POST', '/rpc/reads', { calls }, headers);
    let stopped = false;
    const stop = stopping.http.stop().then(() => (stopped = true));
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(stopped).toBe(false);
    await lock.query('commit');
    lock.release();
    await stop;
    expect(linesOf(await response.text()).map(({ status }) => status)).toEqual(calls.map(() => 200));
  });

  test('count as so many: a limit refuses those beyond it, and says when', async () => {
    const limited = await testApp({ READS_PER_MINUTE: '3' });
    const who = await signInAs(limited, 'all');
    const response = await send(
      limited,
      'POST',
      '/rpc/reads',
      { calls: Array.from({ length: 6 }, () => ({ path: 'news/list', input: page })) },
      who.headers,
    );
    const lines = linesOf(await response.text());
    expect(lines).toHaveLength(6);
    expect(lines.filter(({ json }) => json.code === 'TOO_MANY_REQUESTS').length).toBeGreaterThanOrEqual(3);
  });
});

describe('refused as a whole is', () => {
  test('who is not signed in', async () => {
    const response = await send(app, 'POST', '/rpc/reads', { calls: [{ path: 'news/list', input: page }] });
    expect([response.status, await codeOf(response)]).toEqual([401, 'UNAUTHORIZED']);
  });

  test.each([
    ['a write', 'news/hide'],
    ['what somebody signed in may do without a right', 'session/signOut'],
    ['what anybody may', 'session/signIn'],
    ['itself', 'reads'],
    ['what is not there', 'news/nothing'],
    ['a name every object has', 'constructor'],
    ['a way out of the folder', '../api/news/list'],
    ['the route’s other name', 'news.list'],
  ])('%s, and nothing of the rest is done', async (_what, path) => {
    const before = await app.database.pool.query('select count(*) from audit');
    const response = await ask([
      { path: 'news/list', input: page },
      { path, input: {} },
    ]);
    expect([response.status, await codeOf(response)]).toEqual([404, 'NOT_FOUND']);
    expect((await app.database.pool.query('select count(*) from audit')).rows).toEqual(before.rows);
    expect(await apiOf(app, all.headers).session.current()).toMatchObject({ email: expect.any(String) });
  });

  test.each([
    ['none', []],
    ['too many', Array.from({ length: mostReads + 1 }, () => ({ path: 'news/list', input: page }))],
    ['no list', { path: 'news/list' }],
    ['more than a path and an input', [{ path: 'news/list', input: page, headers: {} }]],
    ['a path that is no text', [{ path: ['news', 'list'], input: page }]],
    ['nothing', null],
  ])('%s', async (_what, calls) => {
    const response = await ask(calls);
    expect([response.status, await codeOf(response)]).toEqual([400, 'BAD_REQUEST']);
  });

  test('what is no JSON, and what is too much of it', async () => {
    const raw = (body: string, type: string) =>
      app.http.fetch(
        new Request('http://localhost/rpc/reads', { method: 'POST', headers: { ...all.headers, 'content-type': type }, body }),
      );
    expect((await raw('{"calls":', 'application/json')).status).toBe(400);
    expect((await raw('{}', 'text/plain')).status).toBe(415);
    const much = JSON.stringify({ calls: [{ path: 'news/list', input: 'x'.repeat(2_000_000) }] });
    expect((await raw(much, 'application/json')).status).toBe(413);
  });
});
