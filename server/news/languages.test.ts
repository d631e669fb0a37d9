import { beforeAll, beforeEach, expect, test } from 'vitest';
import { coverages, detectLanguage } from '../../api/news/language.ts';
import type { NewsFilter, NewsRow } from '../../api/news/contract.ts';
import { build } from '../../testing/factories/build.ts';
import { createStore } from '../../testing/factories/store.ts';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import type { PublicNews } from './public.ts';
import { news } from './tables.ts';

let app: TestApp;
let editorSession: TestSession;
beforeAll(async () => {
  app = await createTestApp({}, { jobs: false });
  editorSession = await signInAs(app, 'editor');
});
beforeEach(async () => {
  await app.database.db.delete(news);
});

const item = ({ id, version }: NewsRow) => ({ id, version });
const timeAfter = (ms: number) => new Date(app.clock.now + ms).toISOString();
const chineseFields = { title: '主网上线', description: '今天', link: 'https://a.example/zh' };
const translationFields = {
  translatedTitle: 'Mainnet is live',
  translatedDescription: 'Today',
  translatedLink: 'https://a.example/en',
};

async function addShownNews(overrides: Parameters<typeof build.newsFields>[0]) {
  const addedNews = await editorSession.api.news.add(build.newsFields(overrides));
  const [row] = (await editorSession.api.news.show({ items: [item(addedNews)] })).done;
  if (!row) throw new Error('not shown');
  return row;
}

const requestNews = (query = '', headers = {}) => send(app, 'GET', `/public/news${query}`, undefined, headers);
const readRows = async (query = '') => ((await (await requestNews(query)).json()) as { rows: PublicNews[] }).rows;
const readTitles = async (query = '') => (await readRows(query)).map(({ title }) => title);
const readIssue = (request: Promise<unknown>) =>
  request.then(
    () => null,
    ({ code, data }: { code: string; data?: { issues?: unknown[] } }) => data?.issues?.[0] ?? code,
  );

test('returns each public item in the requested language, or in its original language', async () => {
  await addShownNews({ ...chineseFields, ...translationFields, time: timeAfter(3) });
  await addShownNews({
    title: 'English first',
    translatedTitle: '英文在前',
    translatedDescription: '原文是英文',
    time: timeAfter(2),
  });
  await addShownNews({ title: 'Only English', time: timeAfter(1) });
  await addShownNews({ title: '只有中文', time: timeAfter(0) });
  const expectedTitles = { 'zh-CN': ['主网上线', '英文在前'], 'en-US': ['Mainnet is live', 'English first'] };
  expect(await readTitles('?language=zh-CN')).toEqual([...expectedTitles['zh-CN'], 'Only English', '只有中文']);
  expect(await readTitles('?language=en-US')).toEqual([...expectedTitles['en-US'], 'Only English', '只有中文']);
  expect(await readTitles('?language=zh-Hant-TW')).toEqual(await readTitles('?language=zh'));
  expect(await readTitles('?language=en')).toEqual(await readTitles('?language=en-US'));
  expect(await readTitles()).toEqual(['主网上线', 'English first', 'Only English', '只有中文']);
  const englishRows = await readRows('?language=en');
  expect(englishRows.map(({ language }) => language)).toEqual(['en-US', 'en-US', 'en-US', 'zh-CN']);
  expect(englishRows[0]).toMatchObject({ description: 'Today', link: 'https://a.example/en' });
  expect((await readRows('?language=zh'))[1]?.link).toBe('https://a.example/1');
});

test('returns the original text without a language field if the query names no language, and ignores Accept-Language', async () => {
  await addShownNews({ ...chineseFields, ...translationFields });
  const responses = await Promise.all(
    ['zh', 'en', '*'].map((acceptedLanguage) => requestNews('', { 'accept-language': acceptedLanguage })),
  );
  const bodies = await Promise.all(responses.map((response) => response.text()));
  expect(new Set(bodies).size).toBe(1);
  const [row] = (JSON.parse(bodies[0] ?? '') as { rows: PublicNews[] }).rows;
  expect(Object.keys(row ?? {})).toEqual(['id', 'title', 'description', 'image', 'time', 'link']);
  expect(responses.map(({ headers }) => headers.get('vary'))).toEqual(responses.map(() => 'accept-encoding'));
});

test.each(['fr', 'english', 'zh-', 'zh_CN', ''])('refuses the language %j in the public list', async (language) => {
  const response = await requestNews(`?language=${language}`);
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { data: { issues: [{ path: 'language', rule: 'invalid' }] } },
  ]);
});

test('pages in one language have no gaps or repetitions', async () => {
  for (let n = 0; n < 5; n++)
    await addShownNews({ ...chineseFields, ...translationFields, translatedTitle: `English ${n}`, time: timeAfter(n % 2) });
  const allTitles = await readTitles('?language=en&limit=50');
  const firstPage = (await (await requestNews('?language=en&limit=3')).json()) as { rows: PublicNews[]; nextCursor: string };
  expect([
    ...firstPage.rows.map(({ title }) => title),
    ...(await readTitles(`?language=en&limit=3&cursor=${firstPage.nextCursor}`)),
  ]).toEqual(allTitles);
});

test('shows a scheduled item exactly from start to end, and ends caching at both', async () => {
  await addShownNews({ title: 'Scheduled', startsAt: timeAfter(30_000), endsAt: timeAfter(90_000) });
  const state = async () => {
    const response = await requestNews();
    const { rows } = (await response.json()) as { rows: PublicNews[] };
    return [rows.length, response.headers.get('cache-control'), response.headers.get('etag')] as const;
  };
  const stateBefore = await state();
  expect(stateBefore.slice(0, 2)).toEqual([0, 'public, max-age=30']);
  app.clock.now += 29_999;
  expect((await state()).slice(0, 2)).toEqual([0, 'public, max-age=0']);
  app.clock.now += 1;
  const stateDuring = await state();
  expect(stateDuring.slice(0, 2)).toEqual([1, 'public, max-age=60']);
  expect(stateDuring[2]).not.toBe(stateBefore[2]);
  app.clock.now += 59_999;
  expect((await state())[0]).toBe(1);
  app.clock.now += 1;
  const stateAfter = await state();
  expect(stateAfter.slice(0, 2)).toEqual([0, 'public, max-age=60, stale-while-revalidate=300']);
  expect((await requestNews('', { 'if-none-match': stateDuring[2] ?? '' })).status).toBe(200);
  expect((await requestNews('', { 'if-none-match': stateAfter[2] ?? '' })).status).toBe(304);
});

test('a shown item outside its period is found by its phase and stays shown', async () => {
  const laterNews = await addShownNews({ title: 'Later', startsAt: timeAfter(1000) });
  await addShownNews({ title: 'Over', endsAt: timeAfter(0) });
  await addShownNews({ title: 'Always' });
  const findTitles = async (phase: string) =>
    (await editorSession.api.news.list({ sort: 'time', direction: 'asc', filter: { phase }, cursor: null, limit: 50 })).rows
      .map(({ title }) => title)
      .toSorted();
  expect(await findTitles('scheduled')).toEqual(['Later']);
  expect(await findTitles('over')).toEqual(['Over']);
  expect(await findTitles('!over')).toEqual(['Always', 'Later']);
  expect((await editorSession.api.news.many({ ids: [laterNews.id] }))[0]).toMatchObject({
    shown: true,
    startsAt: laterNews.startsAt,
  });
});

test('finds items by original or translated text, and by language', async () => {
  await editorSession.api.news.add(build.newsFields({ ...chineseFields, ...translationFields }));
  await editorSession.api.news.add(build.newsFields({ title: '只有中文标题' }));
  await editorSession.api.news.add(build.newsFields({ title: 'BTC', description: '正文是中文' }));
  await editorSession.api.news.add(build.newsFields({ title: 'Only English' }));
  await editorSession.api.news.add(build.newsFields({ title: 'Quotes 稳定池', language: 'en-US' }));
  const findTitles = async (filter: NewsFilter) => {
    const page = await editorSession.api.news.list({ sort: 'time', direction: 'asc', filter, cursor: null, limit: 50 });
    expect(page.count?.value).toBe(page.rows.length);
    return page.rows.map(({ title }) => title).toSorted();
  };
  expect(await findTitles({ q: 'MAINNET' })).toEqual(['主网上线']);
  expect(await findTitles({ q: '主网' })).toEqual(['主网上线']);
  expect(await findTitles({ coverage: 'both' })).toEqual(['主网上线']);
  expect(await findTitles({ coverage: 'zh-CN' })).toEqual(['BTC', '只有中文标题'].toSorted());
  expect(await findTitles({ coverage: 'en-US' })).toEqual(['Only English', 'Quotes 稳定池'].toSorted());
  expect(await findTitles({ coverage: '!both' })).toHaveLength(4);
  const { values } = await editorSession.api.news.values({ field: 'coverage', filter: {} });
  expect(Object.fromEntries(values.map(({ value, count }) => [value, count]))).toEqual({ both: 1, 'zh-CN': 2, 'en-US': 2 });
});

test('the database and the panel detect the same language', async () => {
  const texts = ['', 'AMA #12', '一', '鿿', '䷿', 'あいう', '，。', 'a一', '😀', '𠀀', 'Ünïcode'];
  const testStore = createStore(app.database.db);
  for (const title of texts.slice(1)) for (const description of texts.slice(1)) await testStore.news({ title, description });
  for (const coverage of coverages.slice(1)) {
    const { rows } = await editorSession.api.news.list({
      sort: 'time',
      direction: 'asc',
      filter: { coverage },
      cursor: null,
      limit: 200,
    });
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect([row.title, detectLanguage(row), row.language]).toEqual([row.title, coverage, null]);
  }
});

test('requires a translated title and description but no translated link', async () => {
  const addNews = (overrides: Parameters<typeof build.newsFields>[0]) =>
    editorSession.api.news.add(build.newsFields({ ...chineseFields, ...overrides }));
  const title = { translatedTitle: 'English' };
  expect(await readIssue(addNews(title))).toEqual({ path: 'translatedDescription', rule: 'required' });
  expect(await readIssue(addNews({ ...title, translatedDescription: ' ' }))).toEqual({
    path: 'translatedDescription',
    rule: 'required',
  });
  expect(await readIssue(addNews({ translatedLink: 'https://a.example/en' }))).toEqual({
    path: 'translatedTitle',
    rule: 'required',
  });
  expect(await readIssue(addNews({ ...translationFields, translatedLink: 'javascript:alert(1)' }))).toEqual({
    path: 'translatedLink',
    rule: 'url',
  });
  expect(await readIssue(addNews({ ...translationFields, translatedTitle: 'x'.repeat(201) }))).toEqual({
    path: 'translatedTitle',
    rule: 'tooLong',
  });
  const addedNews = await addNews({ ...title, translatedDescription: 'Text', translatedLink: '' });
  expect(addedNews).toMatchObject({
    ...chineseFields,
    ...title,
    translatedDescription: 'Text',
    translatedLink: null,
    language: 'zh-CN',
  });
  expect(await addNews({ translatedTitle: '', translatedDescription: '', translatedLink: '' })).toMatchObject({
    translatedTitle: null,
    translatedDescription: null,
  });
});

test('keeps translation and period if an edit omits them', async () => {
  const addedNews = await editorSession.api.news.add(
    build.newsFields({ ...chineseFields, ...translationFields, startsAt: timeAfter(1), endsAt: timeAfter(2) }),
  );
  const editedNews = await editorSession.api.news.edit({
    ...build.newsFields({ ...chineseFields, title: '改名' }),
    ...item(addedNews),
  });
  expect(editedNews).toEqual({ ...addedNews, title: '改名', version: 2, updatedAt: editedNews.updatedAt });
});

test('an edit removes the translation and the period', async () => {
  const addedNews = await editorSession.api.news.add(
    build.newsFields({ ...chineseFields, ...translationFields, startsAt: timeAfter(1), endsAt: timeAfter(2) }),
  );
  const editedNews = await editorSession.api.news.edit({
    ...build.newsFields({ ...chineseFields, translatedTitle: null, translatedDescription: '', startsAt: null, endsAt: null }),
    ...item(addedNews),
  });
  expect(editedNews).toMatchObject({
    translatedTitle: null,
    translatedDescription: null,
    translatedLink: null,
    startsAt: null,
    endsAt: null,
  });
});

test('keeps the stored title and description if an edit sends only an empty translated link', async () => {
  for (const translatedLink of [null, '']) {
    const addedNews = await editorSession.api.news.add(build.newsFields({ ...chineseFields, ...translationFields }));
    const editedNews = await editorSession.api.news.edit({
      ...build.newsFields({ ...chineseFields, translatedLink }),
      ...item(addedNews),
    });
    expect(editedNews).toEqual({ ...addedNews, translatedLink: null, version: 2, updatedAt: editedNews.updatedAt });
  }
});

test('refuses an empty translated description while the translated title stays', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields({ ...chineseFields, ...translationFields }));
  for (const translatedDescription of [null, '']) {
    const pendingEdit = editorSession.api.news.edit({
      ...build.newsFields({ ...chineseFields, translatedDescription }),
      ...item(addedNews),
    });
    expect(await readIssue(pendingEdit)).toEqual({ path: 'translatedDescription', rule: 'required' });
  }
  expect(await editorSession.api.news.many({ ids: [addedNews.id] })).toEqual([addedNews]);
});

test('detects the language if an edit clears it and keeps the translation', async () => {
  const addedNews = await editorSession.api.news.add(
    build.newsFields({ ...chineseFields, ...translationFields, language: 'en-US' }),
  );
  const editedNews = await editorSession.api.news.edit({
    ...build.newsFields({ ...chineseFields, language: null }),
    ...item(addedNews),
  });
  expect(editedNews).toEqual({ ...addedNews, language: 'zh-CN', version: 2, updatedAt: editedNews.updatedAt });
});

test('keeps the chosen language if an edit changes only the translation', async () => {
  const addedNews = await editorSession.api.news.add(
    build.newsFields({ ...chineseFields, ...translationFields, language: 'en-US' }),
  );
  const editInput = {
    ...build.newsFields({ ...chineseFields, ...translationFields, translatedTitle: 'Live' }),
    ...item(addedNews),
  };
  expect(await editorSession.api.news.edit(editInput)).toMatchObject({ language: 'en-US', translatedTitle: 'Live' });
});

test('detects the language again when an edit sends a row back with another title', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields({ title: 'Mainnet is live' }));
  const { language } = addedNews;
  await editorSession.api.news.edit({ ...build.newsFields({ title: '主网上线', language }), ...item(addedNews) });
  const filter = { coverage: 'zh-CN' };
  const { rows } = await editorSession.api.news.list({ sort: 'time', direction: 'asc', filter, cursor: null, limit: 50 });
  expect(rows.map(({ title }) => title)).toEqual(['主网上线']);
});

test('refuses an end that is not after the start, including a stored start', async () => {
  expect(await readIssue(editorSession.api.news.add(build.newsFields({ startsAt: timeAfter(2), endsAt: timeAfter(2) })))).toEqual(
    {
      path: 'endsAt',
      rule: 'afterStart',
    },
  );
  const addedNews = await editorSession.api.news.add(build.newsFields({ startsAt: timeAfter(2) }));
  const editEndTime = (endsAt: string) => editorSession.api.news.edit({ ...build.newsFields({ endsAt }), ...item(addedNews) });
  expect(await readIssue(editEndTime(timeAfter(2)))).toEqual({ path: 'endsAt', rule: 'afterStart' });
  expect(await editEndTime(timeAfter(3))).toMatchObject({ startsAt: addedNews.startsAt, endsAt: timeAfter(3) });
});

test('a deleted item comes back with both texts and its period, as Not Show', async () => {
  const shownNews = await addShownNews({ ...chineseFields, ...translationFields, startsAt: timeAfter(1), endsAt: timeAfter(2) });
  const [deletedItem] = (await editorSession.api.news.remove({ items: [item(shownNews)] })).done;
  const { versions } = await editorSession.api.news.bin({});
  expect(versions[0]?.record).toMatchObject(translationFields);
  const restoredNews = await editorSession.api.news.restore({ entry: deletedItem?.entry ?? '', state: 'before', version: null });
  expect(restoredNews).toMatchObject({
    ...chineseFields,
    ...translationFields,
    startsAt: shownNews.startsAt,
    endsAt: shownNews.endsAt,
    shown: false,
  });
});

test('removes the translation when the version before it is restored', async () => {
  const addedNews = await editorSession.api.news.add(build.newsFields(chineseFields));
  const editedNews = await editorSession.api.news.edit({
    ...build.newsFields({ ...chineseFields, ...translationFields }),
    ...item(addedNews),
  });
  const { entries } = await editorSession.api.news.history({ id: addedNews.id });
  const restoredNews = await editorSession.api.news.restore({
    entry: entries[0]?.id ?? '',
    state: 'before',
    version: editedNews.version,
  });
  expect(restoredNews).toMatchObject({
    ...chineseFields,
    translatedTitle: null,
    translatedDescription: null,
    translatedLink: null,
  });
});
