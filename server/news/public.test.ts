import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import type { PublicPage } from '../platform/records/public-list.ts';
import type { PublicNews } from './public.ts';
import { news } from './tables.ts';
import { build } from '../../testing/factories/build.ts';

let app: TestApp;
let editor: TestSession;
beforeAll(async () => {
  app = await testApp({}, { jobs: false }); // jobs would add queries
  editor = await signInAs(app, 'editor');
});
beforeEach(async () => {
  await app.database.db.delete(news);
});

async function addNews(title: string, minute: number) {
  return editor.api.news.add(
    build.newsFields({ title, description: 'Text', time: new Date(Date.UTC(2025, 0, 1, 0, minute)).toISOString() }),
  );
}

type Item = { id: string; version: number };
const item = ({ id, version }: Item) => ({ id, version });
async function addShown(title: string, minute: number) {
  const [row] = (await editor.api.news.show({ items: [item(await addNews(title, minute))] })).done;
  if (!row) throw new Error('not shown');
  return row;
}

const get = (query = '', headers: Record<string, string> = {}) => send(app, 'GET', `/public/news${query}`, undefined, headers);
const bodyOf = async (response: Response) => (await response.json()) as PublicPage<PublicNews>;
const titles = async (query = '') => (await bodyOf(await get(query))).rows.map(({ title }) => title);

test('the public list has only shown items, newest first, with only public fields', async () => {
  const older = await addShown('older', 1);
  await addNews('hidden', 2);
  const newer = await addShown('newer', 3);
  const { rows, nextCursor } = await bodyOf(await get());
  expect(rows).toEqual(
    [newer, older].map(({ id, title, description, image, time, link }) => ({ id, title, description, image, time, link })),
  );
  expect(nextCursor).toBeNull();
});

test('pages have no gaps or repetitions, even with equal times', async () => {
  for (let n = 0; n < 12; n++) await addShown(`n${n}`, n % 3);
  const whole = await bodyOf(await get('?limit=50'));
  const ids: string[] = [];
  let query = '?limit=5';
  for (;;) {
    const page = await bodyOf(await get(query));
    ids.push(...page.rows.map(({ id }) => id));
    if (page.nextCursor === null) break;
    query = `?limit=5&cursor=${page.nextCursor}`;
  }
  expect(ids).toEqual(whole.rows.map(({ id }) => id));
  expect(ids).toHaveLength(12);
});

test('any website can read it, and caches may keep it for a minute', async () => {
  const response = await get('', { origin: 'https://www.example.com' });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=60, stale-while-revalidate=300',
    'content-type': 'application/json; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  expect(response.headers.get('set-cookie')).toBeNull();
});

test('an unchanged list answers 304 with the same tag after one query', async () => {
  await addShown('a', 1);
  const etag = (await get()).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[^"]+"$/);
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const queries = vi.spyOn(app.database.pool, 'query');
    const response = await get('', { 'if-none-match': header });
    expect(queries).toHaveBeenCalledTimes(1);
    queries.mockRestore();
    expect([header, response.status, await response.text(), response.headers.get('etag')]).toEqual([header, 304, '', etag]);
  }
});

test('a cached page costs one small query, concurrent readers share it, and none is outdated', async () => {
  await addShown('a', 1);
  const first = await get('?limit=3');
  const text = await first.text();
  const queries = vi.spyOn(app.database.pool, 'query');
  const opened = vi.spyOn(app.database.pool, 'connect');
  const all = await Promise.all(Array.from({ length: 20 }, () => get('?limit=3')));
  expect(queries.mock.calls.length).toBeLessThanOrEqual(2);
  expect(opened.mock.calls.length).toBeLessThanOrEqual(queries.mock.calls.length);
  vi.restoreAllMocks();
  for (const one of all) expect([one.headers.get('etag'), await one.text()]).toEqual([first.headers.get('etag'), text]);

  const packed = await get('?limit=3', { 'accept-encoding': 'gzip' });
  expect(packed.headers.get('vary')).toContain('accept-encoding');
  await Promise.all([addShown('b', 2), get('?limit=3'), get('?limit=3')]);
  expect((await (await get('?limit=3')).json()).rows[0]).toMatchObject({ title: 'b' });
});

test('the tag changes exactly when the public list changes', async () => {
  const tag = async () => (await get()).headers.get('etag');
  const changes = async (work: () => Promise<unknown>) => {
    const before = await tag();
    await work();
    return (await tag()) !== before;
  };
  const hidden = await addNews('hidden', 1);
  const shown = await addShown('shown', 2);
  const fields = build.newsFields({ image: 'https://a.example/2.png' });
  expect(await changes(() => addNews('more', 3))).toBe(false);
  expect(await changes(() => editor.api.news.edit({ ...fields, title: 'h', ...item(hidden) }))).toBe(false);
  expect(await changes(() => editor.api.news.edit({ ...fields, title: 's', ...item(shown) }))).toBe(true);
  const now = { id: shown.id, version: shown.version + 1 };
  expect(await changes(() => editor.api.news.show({ items: [now] }))).toBe(false);
  expect(await changes(() => editor.api.news.hide({ items: [now] }))).toBe(true);
  expect(await titles()).toEqual([]);
  expect(await changes(() => editor.api.news.show({ items: [{ id: shown.id, version: now.version + 1 }] }))).toBe(true);
  expect(await changes(() => editor.api.news.remove({ items: [{ id: hidden.id, version: 2 }] }))).toBe(false);
  expect(await changes(() => editor.api.news.remove({ items: [{ id: shown.id, version: now.version + 2 }] }))).toBe(true);
});

test('every one of many concurrent changes is counted', async () => {
  const rows = await Promise.all(Array.from({ length: 20 }, (_, n) => addNews(`n${n}`, n)));
  const number = async () => Number(/-(\d+)"$/.exec((await get()).headers.get('etag') ?? '')?.[1]);
  const before = await number();
  await Promise.all(rows.map((row) => editor.api.news.show({ items: [item(row)] })));
  expect(await number()).toBe(before + 20);
});

test('an outdated tag gets the current list', async () => {
  const etag = (await get()).headers.get('etag') ?? '';
  await addShown('a', 1);
  const response = await get('', { 'if-none-match': etag });
  expect([response.status, (await bodyOf(response)).rows.map(({ title }) => title)]).toEqual([200, ['a']]);
});

test('HEAD returns only headers', async () => {
  await addShown('a', 1);
  const [head, full] = [await send(app, 'HEAD', '/public/news'), await get()];
  expect([head.status, await head.text(), head.headers.get('etag')]).toEqual([200, '', full.headers.get('etag')]);
});

test('invalid limits and cursors are refused', async () => {
  const queries = ['limit=0', 'limit=51', 'limit=x', 'limit=1.5', 'limit=', 'cursor=x', 'cursor=', `cursor=${'A'.repeat(5000)}`];
  queries.push(
    `cursor=${Buffer.from("2025-01-01T00:00:00.000Z ' or 1=1").toString('base64url')}`,
    `cursor=${Buffer.from('infinity x').toString('base64url')}`,
  );
  for (const query of queries) {
    const response = await get(`?${query}`);
    expect([query, response.status, ((await response.json()) as { code: string }).code]).toEqual([query, 400, 'BAD_REQUEST']);
  }
});

test('the public list cannot be written', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await send(app, method, '/public/news', {})).status).toBe(404);
});
