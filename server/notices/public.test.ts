import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { NoticeFields, NoticeRow } from '../../api/notices/contract.ts';
import type { PublicPage } from '../platform/records/public-list.ts';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import type { PublicNotice } from './public.ts';
import { notices } from './tables.ts';
import { build } from '../../testing/factories/build.ts';

let app: TestApp;
let editor: TestSession;
let start: number;
beforeAll(async () => {
  app = await testApp({}, { jobs: false }); // jobs would add queries
  editor = await signInAs(app, 'editor');
  start = Math.ceil(app.clock.now / 1000) * 1000;
});
beforeEach(async () => {
  await app.database.db.delete(notices);
  app.clock.now = start;
});

const second = 1000;
const at = (ms: number) => new Date(start + ms).toISOString();
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });

const add = (content: string, changes: Partial<NoticeFields> = {}) =>
  editor.api.notices.add(build.noticeFields({ content, ...changes }));
async function addShown(content: string, changes: Partial<NoticeFields> = {}): Promise<NoticeRow> {
  const [row] = (await editor.api.notices.show({ items: [item(await add(content, changes))] })).done;
  if (!row) throw new Error('not shown');
  return row;
}

const get = (query = '', headers: Record<string, string> = {}) => send(app, 'GET', `/public/notices${query}`, undefined, headers);
const bodyOf = async (response: Response) => (await response.json()) as PublicPage<PublicNotice>;
const contents = async (query = '') => (await bodyOf(await get(query))).rows.map(({ content }) => content);
const tag = async (query = '') => (await get(query)).headers.get('etag') ?? '';
const caching = async () => (await get()).headers.get('cache-control');

test('the public list has only shown notices, newest first, with only public fields', async () => {
  const older = await addShown('older', { platform: 'mobile' });
  await add('hidden');
  app.clock.now += second;
  const newer = await addShown('newer', { endsAt: at(60 * second) });
  expect(await bodyOf(await get())).toEqual({
    rows: [newer, older].map(({ id, content, link, platform, endsAt }) => ({ id, content, link, platform, until: endsAt })),
    nextCursor: null,
  });
});

test('each platform gets its own notices and those for all', async () => {
  for (const platform of ['all', 'desktop', 'mobile'] as const) {
    await addShown(platform, { platform });
    app.clock.now += second;
  }
  expect(await contents()).toEqual(['mobile', 'desktop', 'all']);
  expect(await contents('?platform=all')).toEqual(['mobile', 'desktop', 'all']);
  expect(await contents('?platform=desktop')).toEqual(['desktop', 'all']);
  expect(await contents('?platform=mobile')).toEqual(['mobile', 'all']);
});

test('a notice appears at its start and disappears at its end, with the tag', async () => {
  await addShown('now', { startsAt: at(10 * second), endsAt: at(20 * second) });
  const seen: [number, string[], string][] = [];
  for (const ms of [0, 9_999, 10_000, 10_001, 19_999, 20_000, 90_000]) {
    app.clock.now = start + ms;
    seen.push([ms, await contents(), await tag()]);
  }
  const [[, , before] = [0, [], ''], , [, , during] = [0, [], ''], , , [, , after] = [0, [], '']] = seen;
  expect(seen).toEqual([
    [0, [], before],
    [9_999, [], before],
    [10_000, ['now'], during],
    [10_001, ['now'], during],
    [19_999, ['now'], during],
    [20_000, [], after],
    [90_000, [], after],
  ]);
  expect(new Set([before, during, after]).size).toBe(3);
});

test('a tag from before a notice’s start is outdated without a write', async () => {
  await addShown('soon', { startsAt: at(10 * second) });
  const early = await tag();
  expect((await get('', { 'if-none-match': early })).status).toBe(304);
  app.clock.now += 10 * second;
  const response = await get('', { 'if-none-match': early });
  expect([response.status, (await bodyOf(response)).rows.map(({ content }) => content)]).toEqual([200, ['soon']]);
});

test('no cache may keep a response beyond its next automatic change', async () => {
  await addShown('for ever');
  expect(await caching()).toBe('public, max-age=60, stale-while-revalidate=300');
  await addShown('period', { startsAt: at(600 * second), endsAt: at(700 * second) });
  await add('hidden ones do not count', { startsAt: at(5 * second) });
  const stored: Record<number, string> = {
    0: 'public, max-age=60, stale-while-revalidate=300',
    400_000: 'public, max-age=60, stale-while-revalidate=140',
    559_500: 'public, max-age=40',
    599_001: 'public, max-age=0',
    600_000: 'public, max-age=60, stale-while-revalidate=40',
    690_000: 'public, max-age=10',
    700_000: 'public, max-age=60, stale-while-revalidate=300',
  };
  for (const [ms, expected] of Object.entries(stored)) {
    app.clock.now = start + Number(ms);
    expect(await caching(), ms).toBe(expected);
  }
});

test('an unchanged list answers 304 with the same tag and caching after one query', async () => {
  await addShown('a', { endsAt: at(30 * second) });
  const full = await get();
  const etag = full.headers.get('etag') ?? '';
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const queries = vi.spyOn(app.database.pool, 'query');
    const response = await get('', { 'if-none-match': header });
    expect(queries).toHaveBeenCalledTimes(1);
    queries.mockRestore();
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag]);
    expect(response.headers.get('cache-control')).toBe(full.headers.get('cache-control'));
  }
});

test('the tag changes exactly when the shown notices change, not with news', async () => {
  const changes = async (work: () => Promise<unknown>) => {
    const before = await tag();
    await work();
    return (await tag()) !== before;
  };
  const hidden = await add('hidden');
  const shown = await addShown('shown');
  const fields = build.noticeFields({ content: 'new' });
  expect(await changes(() => add('more'))).toBe(false);
  expect(await changes(() => editor.api.notices.edit({ ...fields, ...item(hidden) }))).toBe(false);
  expect(await changes(() => editor.api.notices.edit({ ...fields, ...item(shown) }))).toBe(true);
  expect(await changes(() => editor.api.notices.hide({ items: [{ id: shown.id, version: 3 }] }))).toBe(true);
  expect(await changes(() => editor.api.notices.remove({ items: [{ id: shown.id, version: 4 }] }))).toBe(false);
  const news = build.newsFields();
  expect(await changes(async () => editor.api.news.show({ items: [item(await editor.api.news.add(news))] }))).toBe(false);
});

test('pages have no gaps or repetitions', async () => {
  for (let n = 0; n < 7; n++) {
    await addShown(`n${n}`);
    app.clock.now += n % 2;
  }
  const whole = await contents();
  const paged: string[] = [];
  for (let query: string | null = '?limit=3'; query !== null;) {
    const page: PublicPage<PublicNotice> = await bodyOf(await get(query));
    paged.push(...page.rows.map(({ content }) => content));
    query = page.nextCursor === null ? null : `?limit=3&cursor=${page.nextCursor}`;
  }
  expect(paged).toEqual(whole);
  expect(whole).toHaveLength(7);
});

test('invalid platforms, limits and cursors are refused by field, whatever the tag', async () => {
  for (const [query, path] of [
    ['platform=fridge', 'platform'],
    ['platform=', 'platform'],
    ['platform=DESKTOP', 'platform'],
    ['limit=51', 'limit'],
    ['cursor=x', 'cursor'],
  ]) {
    const response = await get(`?${query}`, { 'if-none-match': '*' });
    expect([query, response.status, await response.json()]).toMatchObject([
      query,
      400,
      { code: 'BAD_REQUEST', data: { issues: [{ path }] } },
    ]);
  }
});

test('any website can read it, and no one can write', async () => {
  const response = await get('', { origin: 'https://www.example.com' });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'content-type': 'application/json; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(response.headers.get('set-cookie')).toBeNull();
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await send(app, method, '/public/notices', {})).status).toBe(404);
});
