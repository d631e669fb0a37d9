import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import type { PublicPage } from '../platform/records/public-list.ts';
import type { PublicNews } from './public.ts';
import { news } from './tables.ts';
import { build } from '../../testing/factories/build.ts';

let app: TestApp;
let editorSession: TestSession;
beforeAll(async () => {
  app = await createTestApp({}, { jobs: false }); // jobs would add queries
  editorSession = await signInAs(app, 'editor');
});
beforeEach(async () => {
  await app.database.db.delete(news);
});

async function addNews(title: string, minute: number) {
  return editorSession.api.news.add(
    build.newsFields({ title, description: 'Text', time: new Date(Date.UTC(2025, 0, 1, 0, minute)).toISOString() }),
  );
}

type ItemVersion = { id: string; version: number };
const item = ({ id, version }: ItemVersion) => ({ id, version });
async function addShownNews(title: string, minute: number) {
  const [row] = (await editorSession.api.news.show({ items: [item(await addNews(title, minute))] })).done;
  if (!row) throw new Error('not shown');
  return row;
}

const requestNews = (query = '', headers: Record<string, string> = {}) =>
  send(app, 'GET', `/public/news${query}`, undefined, headers);
const readBody = async (response: Response) => (await response.json()) as PublicPage<PublicNews>;
const readTitles = async (query = '') => (await readBody(await requestNews(query))).rows.map(({ title }) => title);

test('the public list has only shown items, newest first, with only public fields', async () => {
  const olderNews = await addShownNews('older', 1);
  await addNews('hidden', 2);
  const newerNews = await addShownNews('newer', 3);
  const { rows, nextCursor } = await readBody(await requestNews());
  expect(rows).toEqual(
    [newerNews, olderNews].map(({ id, title, description, image, time, link }) => ({
      id,
      title,
      description,
      image,
      time,
      link,
    })),
  );
  expect(nextCursor).toBeNull();
});

test('pages have no gaps or repetitions, even with equal times', async () => {
  for (let n = 0; n < 12; n++) await addShownNews(`n${n}`, n % 3);
  const fullPage = await readBody(await requestNews('?limit=50'));
  const ids: string[] = [];
  let query = '?limit=5';
  for (;;) {
    const page = await readBody(await requestNews(query));
    ids.push(...page.rows.map(({ id }) => id));
    if (page.nextCursor === null) break;
    query = `?limit=5&cursor=${page.nextCursor}`;
  }
  expect(ids).toEqual(fullPage.rows.map(({ id }) => id));
  expect(ids).toHaveLength(12);
});

test('any website can read it, and caches may keep it for a minute', async () => {
  const response = await requestNews('', { origin: 'https://www.example.com' });
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
  await addShownNews('a', 1);
  const etag = (await requestNews()).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[^"]+"$/);
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const querySpy = vi.spyOn(app.database.pool, 'query');
    const response = await requestNews('', { 'if-none-match': header });
    expect(querySpy).toHaveBeenCalledTimes(1);
    querySpy.mockRestore();
    expect([header, response.status, await response.text(), response.headers.get('etag')]).toEqual([header, 304, '', etag]);
  }
});

test('a cached page costs one small query, concurrent readers share it, and none is outdated', async () => {
  await addShownNews('a', 1);
  const firstResponse = await requestNews('?limit=3');
  const text = await firstResponse.text();
  const querySpy = vi.spyOn(app.database.pool, 'query');
  const connectSpy = vi.spyOn(app.database.pool, 'connect');
  const responses = await Promise.all(Array.from({ length: 20 }, () => requestNews('?limit=3')));
  expect(querySpy.mock.calls.length).toBeLessThanOrEqual(2);
  expect(connectSpy.mock.calls.length).toBeLessThanOrEqual(querySpy.mock.calls.length);
  vi.restoreAllMocks();
  for (const response of responses)
    expect([response.headers.get('etag'), await response.text()]).toEqual([firstResponse.headers.get('etag'), text]);

  const compressedResponse = await requestNews('?limit=3', { 'accept-encoding': 'gzip' });
  expect(compressedResponse.headers.get('vary')).toContain('accept-encoding');
  await Promise.all([addShownNews('b', 2), requestNews('?limit=3'), requestNews('?limit=3')]);
  expect((await (await requestNews('?limit=3')).json()).rows[0]).toMatchObject({ title: 'b' });
});

test('the tag changes exactly when the public list changes', async () => {
  const readEtag = async () => (await requestNews()).headers.get('etag');
  const changesEtag = async (runChange: () => Promise<unknown>) => {
    const etagBefore = await readEtag();
    await runChange();
    return (await readEtag()) !== etagBefore;
  };
  const hiddenNews = await addNews('hidden', 1);
  const shownNews = await addShownNews('shown', 2);
  const fields = build.newsFields({ image: 'https://a.example/2.png' });
  expect(await changesEtag(() => addNews('more', 3))).toBe(false);
  expect(await changesEtag(() => editorSession.api.news.edit({ ...fields, title: 'h', ...item(hiddenNews) }))).toBe(false);
  expect(await changesEtag(() => editorSession.api.news.edit({ ...fields, title: 's', ...item(shownNews) }))).toBe(true);
  const now = { id: shownNews.id, version: shownNews.version + 1 };
  expect(await changesEtag(() => editorSession.api.news.show({ items: [now] }))).toBe(false);
  expect(await changesEtag(() => editorSession.api.news.hide({ items: [now] }))).toBe(true);
  expect(await readTitles()).toEqual([]);
  expect(await changesEtag(() => editorSession.api.news.show({ items: [{ id: shownNews.id, version: now.version + 1 }] }))).toBe(
    true,
  );
  expect(await changesEtag(() => editorSession.api.news.remove({ items: [{ id: hiddenNews.id, version: 2 }] }))).toBe(false);
  expect(
    await changesEtag(() => editorSession.api.news.remove({ items: [{ id: shownNews.id, version: now.version + 2 }] })),
  ).toBe(true);
});

test('every one of many concurrent changes is counted', async () => {
  const rows = await Promise.all(Array.from({ length: 20 }, (_, n) => addNews(`n${n}`, n)));
  const readEtagNumber = async () => Number(/-(\d+)"$/.exec((await requestNews()).headers.get('etag') ?? '')?.[1]);
  const numberBefore = await readEtagNumber();
  await Promise.all(rows.map((row) => editorSession.api.news.show({ items: [item(row)] })));
  expect(await readEtagNumber()).toBe(numberBefore + 20);
});

test('an outdated tag gets the current list', async () => {
  const etag = (await requestNews()).headers.get('etag') ?? '';
  await addShownNews('a', 1);
  const response = await requestNews('', { 'if-none-match': etag });
  expect([response.status, (await readBody(response)).rows.map(({ title }) => title)]).toEqual([200, ['a']]);
});

test('HEAD returns only headers', async () => {
  await addShownNews('a', 1);
  const [headResponse, fullResponse] = [await send(app, 'HEAD', '/public/news'), await requestNews()];
  expect([headResponse.status, await headResponse.text(), headResponse.headers.get('etag')]).toEqual([
    200,
    '',
    fullResponse.headers.get('etag'),
  ]);
});

test('invalid limits and cursors are refused', async () => {
  const invalidQueries = [
    'limit=0',
    'limit=51',
    'limit=x',
    'limit=1.5',
    'limit=',
    'cursor=x',
    'cursor=',
    `cursor=${'A'.repeat(5000)}`,
  ];
  invalidQueries.push(
    `cursor=${Buffer.from("2025-01-01T00:00:00.000Z ' or 1=1").toString('base64url')}`,
    `cursor=${Buffer.from('infinity x').toString('base64url')}`,
  );
  for (const query of invalidQueries) {
    const response = await requestNews(`?${query}`);
    expect([query, response.status, ((await response.json()) as { code: string }).code]).toEqual([query, 400, 'BAD_REQUEST']);
  }
});

test('the public list cannot be written', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await send(app, method, '/public/news', {})).status).toBe(404);
});
