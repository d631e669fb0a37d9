import fc from 'fast-check';
import { asc, ilike, sql } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { news } from '../../news/tables.ts';
import type { RequestContext, Services } from '../services/context.ts';
import { openDatabase, type Database } from '../db/db.ts';
import { listRows, type ListInput } from './list.ts';
import { toAppError } from '../core/errors.ts';
import { createLogger } from '../core/log.ts';
import { openExternalServices } from '../services/services.ts';
import { createContext } from '../http/request-context.ts';
import { send, signInAs, createTestApp, type TestApp } from '../../testing/support.ts';
import { build } from '../../../testing/factories/build.ts';
import { createStore } from '../../../testing/factories/store.ts';

type Sort = 'time' | 'createdAt';
type Input = ListInput<Sort>;

let app: TestApp;
let context: RequestContext;
beforeAll(async () => {
  app = await createTestApp();
  context = createRequestContext();
});
beforeEach(() => app.database.pool.query('truncate news'));

function createRequestContext(database: Database = app.database): RequestContext {
  const services: Services = {
    config: app.config,
    log: createLogger({ level: 'silent' }),
    database,
    now: () => app.clock.now,
    ...openExternalServices(app.config),
  };
  return createContext(services, new Request('http://localhost/'), undefined);
}

const listNews = (input: Partial<Input>, q?: string, requestContext = context) =>
  listRows(requestContext, { sort: 'time', direction: 'asc', cursor: null, limit: 3, ...input } satisfies Input, {
    table: news,
    id: news.id,
    sorts: { time: news.time, createdAt: news.createdAt },
    where: q === undefined ? undefined : ilike(news.title, `%${q}%`),
    present: ({ id, time, createdAt, title }) => ({ id, time: time.getTime(), createdAt: createdAt.getTime(), title }),
  });

const createTestStore = () => createStore(app.database.db);
const buildRowAt = (rowTime: number, createdAt = rowTime, title = 'title') => ({
  title,
  time: new Date(rowTime),
  createdAt: new Date(createdAt),
});

const readSorted = async (sort: Sort, direction: 'asc' | 'desc') => {
  const rows = await app.database.db.select({ id: news.id }).from(news).orderBy(asc(news[sort]), asc(news.id));
  const ids = rows.map(({ id }) => id);
  return direction === 'asc' ? ids : ids.toReversed();
};

/** Forward from the first page, then back from the last. */
async function walkPages(input: Partial<Input>, betweenPages: () => Promise<unknown> = async () => null) {
  const forwardIds: string[] = [];
  let page = await listNews(input);
  for (;;) {
    forwardIds.push(...page.rows.map(({ id }) => id));
    if (page.nextCursor === null) break;
    await betweenPages();
    page = await listNews({ ...input, cursor: page.nextCursor });
  }
  const backwardIds = page.rows.map(({ id }) => id);
  while (page.prevCursor !== null) {
    page = await listNews({ ...input, cursor: page.prevCursor });
    backwardIds.unshift(...page.rows.map(({ id }) => id));
  }
  return { forward: forwardIds, back: backwardIds };
}

const arbitraries = {
  // Few distinct times make equal sort keys common.
  times: fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 2 })), { maxLength: 25 }),
  limit: fc.integer({ min: 1, max: 7 }),
  sort: fc.constantFrom<Sort>('time', 'createdAt'),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
};
const baseTime = Date.UTC(2026, 0, 1);
const fillNews = async (times: [number, number][]) => {
  await app.database.pool.query('truncate news');
  await createTestStore().newsItems(times.map(([a, b]) => buildRowAt(baseTime + a, baseTime + b)));
};

test('paging forward and back returns the sorted table', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraries.times,
      arbitraries.limit,
      arbitraries.sort,
      arbitraries.direction,
      async (times, limit, sort, direction) => {
        await fillNews(times);
        const sortedIds = await readSorted(sort, direction);
        const { forward: forwardIds, back: backwardIds } = await walkPages({ sort, direction, limit });
        expect(forwardIds).toEqual(sortedIds);
        expect(backwardIds).toEqual(sortedIds);
      },
    ),
    { numRuns: 60, seed: 1 },
  );
});

test('rows inserted during paging neither repeat nor hide existing rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraries.times,
      arbitraries.times,
      arbitraries.limit,
      arbitraries.direction,
      async (times, laterTimesInput, limit, direction) => {
        await fillNews(times);
        const sortedBefore = await readSorted('time', direction);
        const laterTimes = [...laterTimesInput];
        const { forward: forwardIds } = await walkPages({ direction, limit }, async () => {
          const [nextRow] = laterTimes.splice(0, 1);
          if (nextRow) await createTestStore().news(buildRowAt(baseTime + nextRow[0]));
        });
        expect(new Set(forwardIds).size).toBe(forwardIds.length);
        const requestedIds = new Set(sortedBefore);
        expect(forwardIds.filter((id) => requestedIds.has(id))).toEqual(sortedBefore);
      },
    ),
    { numRuns: 40, seed: 2 },
  );
});

test('paging back works after every row beyond the cursor was deleted', async () => {
  await fillNews([
    [0, 0],
    [1, 0],
    [2, 0],
    [3, 0],
    [4, 0],
  ]);
  const firstPage = await listNews({ limit: 3 });
  await app.database.pool.query('delete from news where time > $1', [new Date(baseTime + 2)]);
  const secondPage = await listNews({ limit: 3, cursor: firstPage.nextCursor });
  expect(secondPage.rows).toEqual([]);
  expect(secondPage.nextCursor).toBeNull();
  const backwardIds = await listNews({ limit: 3, cursor: secondPage.prevCursor });
  expect(backwardIds.rows).toEqual(firstPage.rows);
});

test.each([
  'x',
  '!!',
  Buffer.from('null').toString('base64url'),
  Buffer.from('["n",0,"time","asc","2026-01-01T00:00:00.000Z"]').toString('base64url'),
  Buffer.from('["n",0,"time","desc","2026-01-01T00:00:00.000Z","018f0000-0000-7000-8000-000000000000"]').toString('base64url'),
  Buffer.from('["n",0,"createdAt","asc","2026-01-01T00:00:00.000Z","018f0000-0000-7000-8000-000000000000"]').toString(
    'base64url',
  ),
  Buffer.from('["n",0,"time","asc","a\u0000b","018f0000-0000-7000-8000-000000000000"]').toString('base64url'),
  Buffer.from('["n",0,"time","asc","2026-01-01T00:00:00.000Z","\' or 1=1 --"]').toString('base64url'),
])('refuses the cursor %s with BAD_REQUEST', async (cursor) => {
  await expect(listNews({ cursor })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    data: { issues: [{ path: 'cursor', rule: 'invalid' }] },
  });
});

test('refuses a cursor whose key is not a time with BAD_REQUEST', async () => {
  const cursor = Buffer.from('["n",0,"time","asc","yesterday-ish","018f0000-0000-7000-8000-000000000000"]').toString('base64url');
  const error = await listNews({ cursor }).catch(toAppError);
  expect(error).toMatchObject({ code: 'BAD_REQUEST', cause: { code: '22007' } });
});

describe('the count of a list', () => {
  const addManyRows = async (count: number) => {
    const titles = Array.from({ length: count }, (_, n) => ((n + 1) % 1000 === 0 ? 'rare' : 'common'));
    await createTestStore().newsItems(titles.map((title) => ({ title })));
  };

  test('comes with the first page only, and is exact', async () => {
    await fillNews([
      [0, 0],
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    const firstPage = await listNews({ limit: 3 });
    expect(firstPage.count).toEqual({ value: 4, kind: 'exact' });
    expect((await listNews({ limit: 3, cursor: firstPage.nextCursor })).count).toBeNull();
  });

  test('is exact up to 50,000 rows and an estimate beyond, also with a filter', async () => {
    await addManyRows(50_000);
    expect((await listNews({})).count).toEqual({ value: 50_000, kind: 'exact' });
    await addManyRows(10_000);
    app.clock.now += 2_001; // costly counts are cached for two seconds
    await app.database.pool.query('analyze news');
    const { count } = await listNews({});
    expect(count?.kind).toBe('estimate');
    expect(count?.value).toBeGreaterThan(50_000);
    expect(count?.value).toBeLessThan(70_000);
    expect((await listNews({}, 'rare')).count).toEqual({ value: 60, kind: 'exact' });
  });

  test('of many rows runs once for concurrent callers, and again after a write', async () => {
    await addManyRows(6_000);
    const { headers } = await signInAs(app, 'all');
    const requestList = () =>
      send(app, 'POST', '/api/news/list', { sort: 'time', direction: 'asc', filter: {}, cursor: null, limit: 1 }, headers);
    const readCounts = async (repetitions: number) =>
      (await Promise.all(Array.from({ length: repetitions }, requestList))).map(
        async (response) => ((await response.json()) as { count: unknown }).count,
      );
    expect(await Promise.all(await readCounts(20))).toEqual(Array.from({ length: 20 }, () => ({ value: 6_000, kind: 'exact' })));
    expect((await send(app, 'POST', '/api/news', build.newsFields(), headers)).status).toBe(200);
    expect(await Promise.all(await readCounts(1))).toEqual([{ value: 6_001, kind: 'exact' }]);
  });

  test('becomes an estimate if it takes too long', async () => {
    await fillNews([
      [0, 0],
      [1, 0],
    ]);
    const impatientDatabase = openDatabase({ url: app.database.url, log: createLogger({ level: 'silent' }), countMs: 50 });
    const slowPage = await listRows(
      createRequestContext(impatientDatabase),
      { sort: 'time', direction: 'asc', cursor: null, limit: 1 },
      {
        table: news,
        id: news.id,
        sorts: { time: news.time },
        where: sql`pg_sleep(0.2) is not null`,
        present: ({ id }) => id,
      },
    );
    await impatientDatabase.close();
    expect(slowPage.rows).toHaveLength(1);
    expect(slowPage.count?.kind).toBe('estimate');
  });
});

test('a list reads its index in both directions instead of sorting', async () => {
  const minute = 60_000;
  await createTestStore().newsItems(Array.from({ length: 5_000 }, (_, n) => ({ time: new Date(Date.now() - n * minute) })));
  await app.database.pool.query('analyze news');
  for (const direction of ['asc', 'desc']) {
    const { rows } = await app.database.pool.query<{ 'QUERY PLAN': string }>(
      `explain select * from news where (time, id) ${direction === 'asc' ? '>' : '<'} (now() - interval '2 days', '018f0000-0000-7000-8000-000000000000'::uuid)
       order by time ${direction}, id ${direction} limit 51`,
    );
    const queryPlan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(queryPlan).toContain('news_time');
    expect(queryPlan).not.toContain('Sort');
  }
});
