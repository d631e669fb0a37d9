import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { NoticeFields, NoticeRow } from '../../api/notices/contract.ts';
import type { PublicPage } from '../platform/records/public-list.ts';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import type { PublicNotice } from './public.ts';
import { notices } from './tables.ts';
import { build } from '../../testing/factories/build.ts';

let app: TestApp;
let editorSession: TestSession;
let start: number;
beforeAll(async () => {
  app = await createTestApp({}, { jobs: false }); // jobs would add queries
  editorSession = await signInAs(app, 'editor');
  start = Math.ceil(app.clock.now / 1000) * 1000;
});
beforeEach(async () => {
  await app.database.db.delete(notices);
  app.clock.now = start;
});

const secondMs = 1000;
const timeAfter = (ms: number) => new Date(start + ms).toISOString();
const item = ({ id, version }: { id: string; version: number }) => ({ id, version });

const addNotice = (content: string, overrides: Partial<NoticeFields> = {}) =>
  editorSession.api.notices.add(build.noticeFields({ content, ...overrides }));
async function addShownNotice(content: string, overrides: Partial<NoticeFields> = {}): Promise<NoticeRow> {
  const [row] = (await editorSession.api.notices.show({ items: [item(await addNotice(content, overrides))] })).done;
  if (!row) throw new Error('not shown');
  return row;
}

const requestNotices = (query = '', headers: Record<string, string> = {}) =>
  send(app, 'GET', `/public/notices${query}`, undefined, headers);
const readBody = async (response: Response) => (await response.json()) as PublicPage<PublicNotice>;
const readContents = async (query = '') => (await readBody(await requestNotices(query))).rows.map(({ content }) => content);
const readEtag = async (query = '') => (await requestNotices(query)).headers.get('etag') ?? '';
const readCacheControl = async () => (await requestNotices()).headers.get('cache-control');

test('the public list has only shown notices, newest first, with only public fields', async () => {
  const olderNotice = await addShownNotice('older', { platform: 'mobile' });
  await addNotice('hidden');
  app.clock.now += secondMs;
  const newerNotice = await addShownNotice('newer', { endsAt: timeAfter(60 * secondMs) });
  expect(await readBody(await requestNotices())).toEqual({
    rows: [newerNotice, olderNotice].map(({ id, content, link, platform, endsAt }) => ({
      id,
      content,
      link,
      platform,
      until: endsAt,
    })),
    nextCursor: null,
  });
});

test('each platform gets its own notices and those for all', async () => {
  for (const platform of ['all', 'desktop', 'mobile'] as const) {
    await addShownNotice(platform, { platform });
    app.clock.now += secondMs;
  }
  expect(await readContents()).toEqual(['mobile', 'desktop', 'all']);
  expect(await readContents('?platform=all')).toEqual(['mobile', 'desktop', 'all']);
  expect(await readContents('?platform=desktop')).toEqual(['desktop', 'all']);
  expect(await readContents('?platform=mobile')).toEqual(['mobile', 'all']);
});

test('a notice appears at its start and disappears at its end, with the tag', async () => {
  await addShownNotice('now', { startsAt: timeAfter(10 * secondMs), endsAt: timeAfter(20 * secondMs) });
  const observations: [number, string[], string][] = [];
  for (const ms of [0, 9_999, 10_000, 10_001, 19_999, 20_000, 90_000]) {
    app.clock.now = start + ms;
    observations.push([ms, await readContents(), await readEtag()]);
  }
  const [[, , etagBefore] = [0, [], ''], , [, , etagDuring] = [0, [], ''], , , [, , etagAfter] = [0, [], '']] = observations;
  expect(observations).toEqual([
    [0, [], etagBefore],
    [9_999, [], etagBefore],
    [10_000, ['now'], etagDuring],
    [10_001, ['now'], etagDuring],
    [19_999, ['now'], etagDuring],
    [20_000, [], etagAfter],
    [90_000, [], etagAfter],
  ]);
  expect(new Set([etagBefore, etagDuring, etagAfter]).size).toBe(3);
});

test('a tag from before a notice’s start is outdated without a write', async () => {
  await addShownNotice('soon', { startsAt: timeAfter(10 * secondMs) });
  const etagEarly = await readEtag();
  expect((await requestNotices('', { 'if-none-match': etagEarly })).status).toBe(304);
  app.clock.now += 10 * secondMs;
  const response = await requestNotices('', { 'if-none-match': etagEarly });
  expect([response.status, (await readBody(response)).rows.map(({ content }) => content)]).toEqual([200, ['soon']]);
});

test('no cache may keep a response beyond its next automatic change', async () => {
  await addShownNotice('for ever');
  expect(await readCacheControl()).toBe('public, max-age=60, stale-while-revalidate=300');
  await addShownNotice('period', { startsAt: timeAfter(600 * secondMs), endsAt: timeAfter(700 * secondMs) });
  await addNotice('hidden ones do not count', { startsAt: timeAfter(5 * secondMs) });
  const expectedCaching: Record<number, string> = {
    0: 'public, max-age=60, stale-while-revalidate=300',
    400_000: 'public, max-age=60, stale-while-revalidate=140',
    559_500: 'public, max-age=40',
    599_001: 'public, max-age=0',
    600_000: 'public, max-age=60, stale-while-revalidate=40',
    690_000: 'public, max-age=10',
    700_000: 'public, max-age=60, stale-while-revalidate=300',
  };
  for (const [ms, expected] of Object.entries(expectedCaching)) {
    app.clock.now = start + Number(ms);
    expect(await readCacheControl(), ms).toBe(expected);
  }
});

test('an unchanged list answers 304 with the same tag and caching after one query', async () => {
  await addShownNotice('a', { endsAt: timeAfter(30 * secondMs) });
  const fullResponse = await requestNotices();
  const etag = fullResponse.headers.get('etag') ?? '';
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const querySpy = vi.spyOn(app.database.pool, 'query');
    const response = await requestNotices('', { 'if-none-match': header });
    expect(querySpy).toHaveBeenCalledTimes(1);
    querySpy.mockRestore();
    expect([response.status, await response.text(), response.headers.get('etag')]).toEqual([304, '', etag]);
    expect(response.headers.get('cache-control')).toBe(fullResponse.headers.get('cache-control'));
  }
});

test('the tag changes exactly when the shown notices change, not with news', async () => {
  const changesEtag = async (runChange: () => Promise<unknown>) => {
    const etagBefore = await readEtag();
    await runChange();
    return (await readEtag()) !== etagBefore;
  };
  const hiddenNotice = await addNotice('hidden');
  const shownNotice = await addShownNotice('shown');
  const fields = build.noticeFields({ content: 'new' });
  expect(await changesEtag(() => addNotice('more'))).toBe(false);
  expect(await changesEtag(() => editorSession.api.notices.edit({ ...fields, ...item(hiddenNotice) }))).toBe(false);
  expect(await changesEtag(() => editorSession.api.notices.edit({ ...fields, ...item(shownNotice) }))).toBe(true);
  expect(await changesEtag(() => editorSession.api.notices.hide({ items: [{ id: shownNotice.id, version: 3 }] }))).toBe(true);
  expect(await changesEtag(() => editorSession.api.notices.remove({ items: [{ id: shownNotice.id, version: 4 }] }))).toBe(false);
  const news = build.newsFields();
  expect(
    await changesEtag(async () => editorSession.api.news.show({ items: [item(await editorSession.api.news.add(news))] })),
  ).toBe(false);
});

test('pages have no gaps or repetitions', async () => {
  for (let n = 0; n < 7; n++) {
    await addShownNotice(`n${n}`);
    app.clock.now += n % 2;
  }
  const allContents = await readContents();
  const pagedContents: string[] = [];
  for (let query: string | null = '?limit=3'; query !== null;) {
    const page: PublicPage<PublicNotice> = await readBody(await requestNotices(query));
    pagedContents.push(...page.rows.map(({ content }) => content));
    query = page.nextCursor === null ? null : `?limit=3&cursor=${page.nextCursor}`;
  }
  expect(pagedContents).toEqual(allContents);
  expect(allContents).toHaveLength(7);
});

test('invalid platforms, limits and cursors are refused by field, whatever the tag', async () => {
  for (const [query, path] of [
    ['platform=fridge', 'platform'],
    ['platform=', 'platform'],
    ['platform=DESKTOP', 'platform'],
    ['limit=51', 'limit'],
    ['cursor=x', 'cursor'],
  ]) {
    const response = await requestNotices(`?${query}`, { 'if-none-match': '*' });
    expect([query, response.status, await response.json()]).toMatchObject([
      query,
      400,
      { code: 'BAD_REQUEST', data: { issues: [{ path }] } },
    ]);
  }
});

test('any website can read it, and no one can write', async () => {
  const response = await requestNotices('', { origin: 'https://www.example.com' });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'content-type': 'application/json; charset=utf-8',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(response.headers.get('set-cookie')).toBeNull();
  for (const method of ['POST', 'PUT', 'DELETE']) expect((await send(app, method, '/public/notices', {})).status).toBe(404);
});
