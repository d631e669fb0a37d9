import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import type { NewsFilter } from '../../api/news/contract.ts';
import { signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { news } from './tables.ts';
import { build } from '../../testing/factories/build.ts';
import { createStore } from '../../testing/factories/store.ts';

let app: TestApp;
let analystSession: TestSession;
beforeAll(async () => {
  app = await createTestApp();
  analystSession = await signInAs(app, 'analyst');
  await app.database.db.delete(news);
  const searchWords = ['比特币 100%', 'Bitcoin_custody', 'YBTC \\ YU', 'bitcoin', '稳定币', 'CRSM'];
  const start = Date.parse('2025-01-01T00:00:00.000Z');
  const rows = Array.from({ length: 1500 }, (_, n) => {
    const newsTime = new Date(start + ((n * 7919) % 400) * 60_000); // many equal times, so that the id decides
    const createdAt = new Date(start + ((n * 104_729) % 500) * 1000);
    return {
      title: `${searchWords[n % searchWords.length]} ${n}`,
      time: newsTime,
      shown: n % 3 === 0,
      createdAt,
    };
  });
  await createStore(app.database.db).newsItems(rows);
});

const sorts = { time: news.time, createdAt: news.createdAt };

async function readAllPages(sort: keyof typeof sorts, direction: 'asc' | 'desc', filter: NewsFilter, limit: number) {
  const ids: string[] = [];
  let cursor: string | null = null;
  let count: number | undefined;
  do {
    const page = await analystSession.api.news.list({ sort, direction, filter, cursor, limit });
    if (cursor === null) count = page.count?.value;
    else expect(page.count).toBeNull();
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return { ids, count };
}

test('all pages together equal the SQL result for every sort and filter', async () => {
  const filters: [NewsFilter, ReturnType<typeof sql> | undefined][] = [
    [{}, undefined],
    [{ shown: 'true' }, sql`${news.shown}`],
    [{ shown: 'false' }, sql`not ${news.shown}`],
    [{ q: 'bitcoin' }, sql`position('bitcoin' in lower(${news.title})) > 0`],
    [{ q: 'BITCOIN', shown: 'true' }, sql`position('bitcoin' in lower(${news.title})) > 0 and ${news.shown}`],
    [{ q: '比特' }, sql`position('比特' in ${news.title}) > 0`],
    [{ q: ' 稳定币 ' }, sql`position('稳定币' in ${news.title}) > 0`],
    [{ q: '' }, undefined],
  ];
  for (const [filter, where] of filters) {
    for (const sort of ['time', 'createdAt'] as const) {
      for (const direction of ['asc', 'desc'] as const) {
        const order = direction === 'asc' ? asc : desc;
        const expected = await app.database.db
          .select({ id: news.id })
          .from(news)
          .where(and(where))
          .orderBy(order(sorts[sort]), order(news.id));
        const { ids, count } = await readAllPages(sort, direction, filter, 200);
        expect(ids, JSON.stringify({ filter, sort, direction })).toEqual(expected.map(({ id }) => id));
        expect(count).toBe(expected.length);
      }
    }
  }
});

test('wildcards in a search are literal', async () => {
  const countFound = async (q: string) => (await readAllPages('time', 'desc', { q }, 200)).count;
  expect(await countFound('%')).toBe(250);
  expect(await countFound('_')).toBe(250);
  expect(await countFound('\\')).toBe(250);
  expect(await countFound('100%')).toBe(250);
  expect(await countFound('%bit%')).toBe(0);
  expect(await countFound("' or true --")).toBe(0);
});

test('small pages return the same rows as large ones', async () => {
  const smallPages = await readAllPages('time', 'desc', { shown: 'true' }, 7);
  const largePages = await readAllPages('time', 'desc', { shown: 'true' }, 200);
  expect(smallPages.ids).toEqual(largePages.ids);
});

test('an index serves searches of one, two or more letters of any script', async () => {
  for (const searchPart of ['币', '稳定', 'cu', 'Custody']) {
    const queryPlan = await app.database.db.transaction(async (tx) => {
      await tx.execute(sql`set local enable_seqscan = off`);
      return tx.execute(sql`explain select id from news where text_grams(title) @> search_grams(${searchPart}::text)`);
    });
    expect(JSON.stringify(queryPlan.rows), searchPart).toContain('news_title_grams');
  }
});

test('a search finds single letters, other cases and letters beyond the basic plane', async () => {
  const newsTime = new Date('2025-02-01T00:00:00.000Z');
  const titles = ['独 Ünïcode ÄÖ', 'smile 😀😀 end', 'Straße'];
  await createStore(app.database.db).newsItems(titles.map((title) => ({ title, time: newsTime })));
  const findTitles = async (q: string) =>
    (await analystSession.api.news.list({ sort: 'time', direction: 'desc', filter: { q }, cursor: null, limit: 10 })).rows.map(
      ({ title }) => title,
    );
  for (const [q, title] of [
    ['独', titles[0]],
    ['ünï', titles[0]],
    ['äö', titles[0]],
    ['😀', titles[1]],
    ['e 😀', titles[1]],
    ['STRAß', titles[2]],
  ] as const) {
    expect([q, await findTitles(q)]).toEqual([q, [title]]);
  }
  await app.database.db.delete(news).where(eq(news.time, newsTime));
});

const searchTextCases: readonly [text: string, ...searches: string[]][] = [
  ['Ｆｕｌｌ　Ｗｉｄｔｈ １２３', 'full width', 'ＦＵＬＬ'],
  ['ｶﾀｶﾅ 半角', 'カタカナ'],
  ['Ame\u0301lie cafe\u0301', 'amélie', 'CAFÉ'],
  ['Zoë', 'Zoe\u0308'],
  ['family 👨‍👩‍👧‍👦 flag 🏳️‍🌈', '👨‍👩‍👧‍👦', 'FLAG'],
  ['שלום עולם', 'עולם'],
  ['مرحبا \u202Eevil\u202C', 'evil', 'مرحبا'],
  ['in\u200Bvis\u00ADible', 'invisible', 'IN\u2060VISIBLE'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφ'],
  ['z\u0335\u0322\u0334a\u0337lgo', 'lgo'],
];

test.each(searchTextCases)('%j is stored unchanged and found in any case, width and form', async (text, ...searches) => {
  const adminSession = await signInAs(app, 'all');
  const { id, version, title, description } = await adminSession.api.news.add(
    build.newsFields({ title: text, description: text }),
  );
  expect([title, description]).toEqual([text, text]);
  for (const q of [text, ...searches]) {
    const { rows } = await analystSession.api.news.list({
      sort: 'time',
      direction: 'desc',
      filter: { q },
      cursor: null,
      limit: 10,
    });
    expect([q, rows.map((row) => row.id)]).toEqual([q, [id]]);
  }
  await adminSession.api.news.remove({ items: [{ id, version }] });
});

test('a text of 10,000 characters is refused with its limit, as are lone surrogates', async () => {
  const adminSession = await signInAs(app, 'all');
  const addNews = (description: string) => adminSession.api.news.add(build.newsFields({ description }));
  await expect(addNews('长'.repeat(10_000))).rejects.toMatchObject({
    data: { issues: [{ path: 'description', rule: 'tooLong' }] },
  });
  await expect(addNews('half \uD83D')).rejects.toMatchObject({ data: { issues: [{ path: 'description', rule: 'invalid' }] } });
});

test('a search finds frequent and rare parts', async () => {
  const newsTime = new Date('2025-03-01T00:00:00.000Z');
  const rows = Array.from({ length: 3500 }, (_, n) => ({
    title: `frequent ${n % 1000 === 0 ? 'rare' : ''} ${n}`,
    time: newsTime,
  }));
  await createStore(app.database.db).newsItems(rows);
  const readCount = async (q: string) => (await readAllPages('time', 'desc', { q }, 200)).ids.length;
  expect([await readCount('frequent'), await readCount('rare')]).toEqual([3500, 4]);
  await app.database.db.delete(news).where(eq(news.time, newsTime));
});

test('a search for text that PostgreSQL cannot store finds nothing', async () => {
  for (const q of ['a\u0000b', '\uD800']) {
    const outcome = await analystSession.api.news
      .list({ sort: 'time', direction: 'desc', filter: { q }, cursor: null, limit: 10 })
      .catch((error: unknown) => error as { code: string });
    if ('code' in outcome) expect(outcome.code).toBe('BAD_REQUEST');
    else expect(outcome.rows).toEqual([]);
  }
  expect(await app.database.db.$count(news, eq(news.shown, true))).toBe(500);
});
