import { beforeAll, beforeEach, expect, test } from 'vitest';
import { coverages, detectLanguage } from '../../api/news/language.ts';
import type { NewsFilter, NewsRow } from '../../api/news/contract.ts';
import { build } from '../../testing/factories/build.ts';
import { storeIn } from '../../testing/factories/store.ts';
import { send, signInAs, testApp, type TestSession, type TestApp } from '../testing/support.ts';
import type { PublicNews } from './public.ts';
import { news } from './tables.ts';

let app: TestApp;
let editor: TestSession;
beforeAll(async () => {
  app = await testApp({}, { jobs: false });
  editor = await signInAs(app, 'editor');
});
beforeEach(async () => {
  await app.database.db.delete(news);
});

const item = ({ id, version }: NewsRow) => ({ id, version });
const at = (ms: number) => new Date(app.clock.now + ms).toISOString();
const chinese = { title: '主网上线', description: '今天', link: 'https://a.example/zh' };
const translation = {
  translatedTitle: 'Mainnet is live',
  translatedDescription: 'Today',
  translatedLink: 'https://a.example/en',
};

async function addShown(changes: Parameters<typeof build.newsFields>[0]) {
  const added = await editor.api.news.add(build.newsFields(changes));
  const [row] = (await editor.api.news.show({ items: [item(added)] })).done;
  if (!row) throw new Error('not shown');
  return row;
}

const get = (query = '', headers = {}) => send(app, 'GET', `/public/news${query}`, undefined, headers);
const rowsOf = async (query = '') => ((await (await get(query)).json()) as { rows: PublicNews[] }).rows;
const titles = async (query = '') => (await rowsOf(query)).map(({ title }) => title);
const issueOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, data }: { code: string; data?: { issues?: unknown[] } }) => data?.issues?.[0] ?? code,
  );

test('returns each public item in the requested language, or in its original language', async () => {
  await addShown({ ...chinese, ...translation, time: at(3) });
  await addShown({ title: 'English first', translatedTitle: '英文在前', translatedDescription: '原文是英文', time: at(2) });
  await addShown({ title: 'Only English', time: at(1) });
  await addShown({ title: '只有中文', time: at(0) });
  const both = { 'zh-CN': ['主网上线', '英文在前'], 'en-US': ['Mainnet is live', 'English first'] };
  expect(await titles('?language=zh-CN')).toEqual([...both['zh-CN'], 'Only English', '只有中文']);
  expect(await titles('?language=en-US')).toEqual([...both['en-US'], 'Only English', '只有中文']);
  expect(await titles('?language=zh-Hant-TW')).toEqual(await titles('?language=zh'));
  expect(await titles('?language=en')).toEqual(await titles('?language=en-US'));
  expect(await titles()).toEqual(['主网上线', 'English first', 'Only English', '只有中文']);
  const english = await rowsOf('?language=en');
  expect(english.map(({ language }) => language)).toEqual(['en-US', 'en-US', 'en-US', 'zh-CN']);
  expect(english[0]).toMatchObject({ description: 'Today', link: 'https://a.example/en' });
  expect((await rowsOf('?language=zh'))[1]?.link).toBe('https://a.example/1');
});

test('returns the original text without a language field if the query names no language, and ignores Accept-Language', async () => {
  await addShown({ ...chinese, ...translation });
  const answers = await Promise.all(['zh', 'en', '*'].map((accepted) => get('', { 'accept-language': accepted })));
  const bodies = await Promise.all(answers.map((answer) => answer.text()));
  expect(new Set(bodies).size).toBe(1);
  const [row] = (JSON.parse(bodies[0] ?? '') as { rows: PublicNews[] }).rows;
  expect(Object.keys(row ?? {})).toEqual(['id', 'title', 'description', 'image', 'time', 'link']);
  expect(answers.map(({ headers }) => headers.get('vary'))).toEqual(answers.map(() => 'accept-encoding'));
});

test.each(['fr', 'english', 'zh-', 'zh_CN', ''])('refuses the language %j in the public list', async (language) => {
  const response = await get(`?language=${language}`);
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { data: { issues: [{ path: 'language', rule: 'invalid' }] } },
  ]);
});

test('pages in one language have no gaps or repetitions', async () => {
  for (let n = 0; n < 5; n++) await addShown({ ...chinese, ...translation, translatedTitle: `English ${n}`, time: at(n % 2) });
  const whole = await titles('?language=en&limit=50');
  const first = (await (await get('?language=en&limit=3')).json()) as { rows: PublicNews[]; nextCursor: string };
  expect([...first.rows.map(({ title }) => title), ...(await titles(`?language=en&limit=3&cursor=${first.nextCursor}`))]).toEqual(
    whole,
  );
});

test('shows a scheduled item exactly from start to end, and ends caching at both', async () => {
  await addShown({ title: 'Scheduled', startsAt: at(30_000), endsAt: at(90_000) });
  const state = async () => {
    const response = await get();
    const { rows } = (await response.json()) as { rows: PublicNews[] };
    return [rows.length, response.headers.get('cache-control'), response.headers.get('etag')] as const;
  };
  const before = await state();
  expect(before.slice(0, 2)).toEqual([0, 'public, max-age=30']);
  app.clock.now += 29_999;
  expect((await state()).slice(0, 2)).toEqual([0, 'public, max-age=0']);
  app.clock.now += 1;
  const during = await state();
  expect(during.slice(0, 2)).toEqual([1, 'public, max-age=60']);
  expect(during[2]).not.toBe(before[2]);
  app.clock.now += 59_999;
  expect((await state())[0]).toBe(1);
  app.clock.now += 1;
  const after = await state();
  expect(after.slice(0, 2)).toEqual([0, 'public, max-age=60, stale-while-revalidate=300']);
  expect((await get('', { 'if-none-match': during[2] ?? '' })).status).toBe(200);
  expect((await get('', { 'if-none-match': after[2] ?? '' })).status).toBe(304);
});

test('a shown item outside its period is found by its phase and stays shown', async () => {
  const later = await addShown({ title: 'Later', startsAt: at(1000) });
  await addShown({ title: 'Over', endsAt: at(0) });
  await addShown({ title: 'Always' });
  const found = async (phase: string) =>
    (await editor.api.news.list({ sort: 'time', direction: 'asc', filter: { phase }, cursor: null, limit: 50 })).rows
      .map(({ title }) => title)
      .toSorted();
  expect(await found('scheduled')).toEqual(['Later']);
  expect(await found('over')).toEqual(['Over']);
  expect(await found('!over')).toEqual(['Always', 'Later']);
  expect((await editor.api.news.many({ ids: [later.id] }))[0]).toMatchObject({ shown: true, startsAt: later.startsAt });
});

test('finds items by original or translated text, and by language', async () => {
  await editor.api.news.add(build.newsFields({ ...chinese, ...translation }));
  await editor.api.news.add(build.newsFields({ title: '只有中文标题' }));
  await editor.api.news.add(build.newsFields({ title: 'BTC', description: '正文是中文' }));
  await editor.api.news.add(build.newsFields({ title: 'Only English' }));
  await editor.api.news.add(build.newsFields({ title: 'Quotes 稳定池', language: 'en-US' }));
  const found = async (filter: NewsFilter) => {
    const page = await editor.api.news.list({ sort: 'time', direction: 'asc', filter, cursor: null, limit: 50 });
    expect(page.count?.value).toBe(page.rows.length);
    return page.rows.map(({ title }) => title).toSorted();
  };
  expect(await found({ q: 'MAINNET' })).toEqual(['主网上线']);
  expect(await found({ q: '主网' })).toEqual(['主网上线']);
  expect(await found({ coverage: 'both' })).toEqual(['主网上线']);
  expect(await found({ coverage: 'zh-CN' })).toEqual(['BTC', '只有中文标题'].toSorted());
  expect(await found({ coverage: 'en-US' })).toEqual(['Only English', 'Quotes 稳定池'].toSorted());
  expect(await found({ coverage: '!both' })).toHaveLength(4);
  const { values } = await editor.api.news.values({ field: 'coverage', filter: {} });
  expect(Object.fromEntries(values.map(({ value, count }) => [value, count]))).toEqual({ both: 1, 'zh-CN': 2, 'en-US': 2 });
});

test('the database and the panel detect the same language', async () => {
  const texts = ['', 'AMA #12', '一', '鿿', '䷿', 'あいう', '，。', 'a一', '😀', '𠀀', 'Ünïcode'];
  const store = storeIn(app.database.db);
  for (const title of texts.slice(1)) for (const description of texts.slice(1)) await store.news({ title, description });
  for (const coverage of coverages.slice(1)) {
    const { rows } = await editor.api.news.list({
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
  const add = (changes: Parameters<typeof build.newsFields>[0]) =>
    editor.api.news.add(build.newsFields({ ...chinese, ...changes }));
  const title = { translatedTitle: 'English' };
  expect(await issueOf(add(title))).toEqual({ path: 'translatedDescription', rule: 'required' });
  expect(await issueOf(add({ ...title, translatedDescription: ' ' }))).toEqual({
    path: 'translatedDescription',
    rule: 'required',
  });
  expect(await issueOf(add({ translatedLink: 'https://a.example/en' }))).toEqual({ path: 'translatedTitle', rule: 'required' });
  expect(await issueOf(add({ ...translation, translatedLink: 'javascript:alert(1)' }))).toEqual({
    path: 'translatedLink',
    rule: 'url',
  });
  expect(await issueOf(add({ ...translation, translatedTitle: 'x'.repeat(201) }))).toEqual({
    path: 'translatedTitle',
    rule: 'tooLong',
  });
  const added = await add({ ...title, translatedDescription: 'Text', translatedLink: '' });
  expect(added).toMatchObject({ ...chinese, ...title, translatedDescription: 'Text', translatedLink: null, language: 'zh-CN' });
  expect(await add({ translatedTitle: '', translatedDescription: '', translatedLink: '' })).toMatchObject({
    translatedTitle: null,
    translatedDescription: null,
  });
});

test('keeps translation and period if an edit omits them', async () => {
  const added = await editor.api.news.add(build.newsFields({ ...chinese, ...translation, startsAt: at(1), endsAt: at(2) }));
  const edited = await editor.api.news.edit({ ...build.newsFields({ ...chinese, title: '改名' }), ...item(added) });
  expect(edited).toEqual({ ...added, title: '改名', version: 2, updatedAt: edited.updatedAt });
});

test('an edit removes the translation and the period', async () => {
  const added = await editor.api.news.add(build.newsFields({ ...chinese, ...translation, startsAt: at(1), endsAt: at(2) }));
  const edited = await editor.api.news.edit({
    ...build.newsFields({ ...chinese, translatedTitle: null, translatedDescription: '', startsAt: null, endsAt: null }),
    ...item(added),
  });
  expect(edited).toMatchObject({
    translatedTitle: null,
    translatedDescription: null,
    translatedLink: null,
    startsAt: null,
    endsAt: null,
  });
});

test('keeps the stored title and description if an edit sends only an empty translated link', async () => {
  for (const translatedLink of [null, '']) {
    const added = await editor.api.news.add(build.newsFields({ ...chinese, ...translation }));
    const edited = await editor.api.news.edit({ ...build.newsFields({ ...chinese, translatedLink }), ...item(added) });
    expect(edited).toEqual({ ...added, translatedLink: null, version: 2, updatedAt: edited.updatedAt });
  }
});

test('refuses an empty translated description while the translated title stays', async () => {
  const added = await editor.api.news.add(build.newsFields({ ...chinese, ...translation }));
  for (const translatedDescription of [null, '']) {
    const edit = editor.api.news.edit({ ...build.newsFields({ ...chinese, translatedDescription }), ...item(added) });
    expect(await issueOf(edit)).toEqual({ path: 'translatedDescription', rule: 'required' });
  }
  expect(await editor.api.news.many({ ids: [added.id] })).toEqual([added]);
});

test('detects the language if an edit clears it and keeps the translation', async () => {
  const added = await editor.api.news.add(build.newsFields({ ...chinese, ...translation, language: 'en-US' }));
  const edited = await editor.api.news.edit({ ...build.newsFields({ ...chinese, language: null }), ...item(added) });
  expect(edited).toEqual({ ...added, language: 'zh-CN', version: 2, updatedAt: edited.updatedAt });
});

test('keeps the chosen language if an edit changes only the translation', async () => {
  const added = await editor.api.news.add(build.newsFields({ ...chinese, ...translation, language: 'en-US' }));
  const edit = { ...build.newsFields({ ...chinese, ...translation, translatedTitle: 'Live' }), ...item(added) };
  expect(await editor.api.news.edit(edit)).toMatchObject({ language: 'en-US', translatedTitle: 'Live' });
});

test('detects the language again when an edit sends a row back with another title', async () => {
  const added = await editor.api.news.add(build.newsFields({ title: 'Mainnet is live' }));
  const { language } = added;
  await editor.api.news.edit({ ...build.newsFields({ title: '主网上线', language }), ...item(added) });
  const filter = { coverage: 'zh-CN' };
  const { rows } = await editor.api.news.list({ sort: 'time', direction: 'asc', filter, cursor: null, limit: 50 });
  expect(rows.map(({ title }) => title)).toEqual(['主网上线']);
});

test('refuses an end that is not after the start, including a stored start', async () => {
  expect(await issueOf(editor.api.news.add(build.newsFields({ startsAt: at(2), endsAt: at(2) })))).toEqual({
    path: 'endsAt',
    rule: 'afterStart',
  });
  const added = await editor.api.news.add(build.newsFields({ startsAt: at(2) }));
  const edit = (endsAt: string) => editor.api.news.edit({ ...build.newsFields({ endsAt }), ...item(added) });
  expect(await issueOf(edit(at(2)))).toEqual({ path: 'endsAt', rule: 'afterStart' });
  expect(await edit(at(3))).toMatchObject({ startsAt: added.startsAt, endsAt: at(3) });
});

test('a deleted item comes back with both texts and its period, as Not Show', async () => {
  const shown = await addShown({ ...chinese, ...translation, startsAt: at(1), endsAt: at(2) });
  const [deleted] = (await editor.api.news.remove({ items: [item(shown)] })).done;
  const { versions } = await editor.api.news.bin({});
  expect(versions[0]?.record).toMatchObject(translation);
  const back = await editor.api.news.restore({ entry: deleted?.entry ?? '', state: 'before', version: null });
  expect(back).toMatchObject({ ...chinese, ...translation, startsAt: shown.startsAt, endsAt: shown.endsAt, shown: false });
});

test('removes the translation when the version before it is restored', async () => {
  const added = await editor.api.news.add(build.newsFields(chinese));
  const edited = await editor.api.news.edit({ ...build.newsFields({ ...chinese, ...translation }), ...item(added) });
  const { entries } = await editor.api.news.history({ id: added.id });
  const back = await editor.api.news.restore({ entry: entries[0]?.id ?? '', state: 'before', version: edited.version });
  expect(back).toMatchObject({ ...chinese, translatedTitle: null, translatedDescription: null, translatedLink: null });
});
