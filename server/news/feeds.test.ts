import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { drawPicture } from '../platform/content/demo-pictures.ts';
import { send, signInAs, createTestApp, type TestSession, type TestApp } from '../testing/support.ts';
import { feedItems, news } from './tables.ts';
import { audit } from '../platform/audit/tables.ts';
import { build } from '../../testing/factories/build.ts';

// One loopback server plays the outside. Development exempts it as "own origin"; everything else is blocked.
const listeners = new Map<string, RequestListener>();
const requestedPaths: string[] = [];
let server: Server;
let origin: string;
let app: TestApp;
let editorSession: TestSession;

beforeAll(async () => {
  server = createServer((request, response) => {
    requestedPaths.push(request.url ?? '');
    const listener = listeners.get(request.url ?? '');
    if (listener) listener(request, response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app = await createTestApp({ PUBLIC_URL: origin, NEWS_FEEDS: `${origin}/one.xml, ${origin}/two.xml` });
  editorSession = await signInAs(app, 'editor');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(async () => {
  listeners.clear();
  requestedPaths.length = 0;
  await app.database.db.delete(news);
  await app.database.db.delete(feedItems);
  serveFeed('/one.xml', 'One', []);
  serveFeed('/two.xml', 'Two', []);
});

interface FeedPost {
  guid: string;
  title?: string;
  link?: string;
  date?: string;
  image?: string;
}

function serveFeed(path: string, title: string, posts: FeedPost[]) {
  const items = posts.map(
    ({ guid, title: name = guid, link = `https://blog.example.com/${guid}`, date, image }) =>
      `<item><guid isPermaLink="false">${guid}</guid><title>${name}</title><link>${link}</link><description>about ${name}</description>` +
      `${date ? `<pubDate>${date}</pubDate>` : ''}${image ? `<enclosure url="${image}" type="image/png" length="1"/>` : ''}</item>`,
  );
  const body = `<rss version="2.0"><channel><title>${title}</title>${items.join('')}</channel></rss>`;
  listeners.set(path, (_, response) => response.setHeader('content-type', 'application/rss+xml').end(body));
}

const readFeed = () => editorSession.api.news.feed();
const addNews = (overrides: { link: string }) => editorSession.api.news.add(build.newsFields(overrides));

test('items of all feeds are merged, newest first, with their feed', async () => {
  serveFeed('/one.xml', 'One', [
    { guid: 'a', date: '2025-01-01T00:00:00Z' },
    { guid: 'b', date: '2025-01-03T00:00:00Z' },
  ]);
  serveFeed('/two.xml', 'Two', [{ guid: 'c', date: '2025-01-02T00:00:00Z', image: 'https://pictures.example/c.png' }]);
  const { items, failed } = await readFeed();
  expect(failed).toEqual([]);
  expect(items.map(({ title, feed: name, time, known }) => [title, name, time, known])).toEqual([
    ['b', 'One', '2025-01-03T00:00:00.000Z', false],
    ['c', 'Two', '2025-01-02T00:00:00.000Z', false],
    ['a', 'One', '2025-01-01T00:00:00.000Z', false],
  ]);
  expect(items[1]).toMatchObject({
    description: 'about c',
    link: 'https://blog.example.com/c',
    image: 'https://pictures.example/c.png',
  });
});

test('an item keeps its id and takes changes when read again', async () => {
  serveFeed('/one.xml', 'One', [{ guid: 'a', title: 'first' }]);
  const [itemBefore] = (await readFeed()).items;
  app.clock.now += 60_000;
  serveFeed('/one.xml', 'One', [{ guid: 'a', title: 'second', link: 'https://blog.example.com/moved' }]);
  const [itemAfter] = (await readFeed()).items;
  expect(itemAfter).toMatchObject({ id: itemBefore?.id, title: 'second', link: 'https://blog.example.com/moved' });
  expect(itemAfter?.time).toBeNull(); // not the current time, which would sort first
  expect(await app.database.db.$count(feedItems)).toBe(1);
});

test('an item without a date sorts last, and is imported with the current time', async () => {
  serveFeed('/one.xml', 'One', [{ guid: 'undated' }, { guid: 'dated', date: '2025-01-01T00:00:00Z' }]);
  const { items } = await readFeed();
  expect(items.map(({ title, time }) => [title, time])).toEqual([
    ['dated', '2025-01-01T00:00:00.000Z'],
    ['undated', null],
  ]);
  const { done } = await editorSession.api.news.import({ ids: [items[1]?.id ?? ''] });
  expect(done.map(({ time }) => time)).toEqual([new Date(app.clock.now).toISOString()]);
});

test('items with the same id and link are distinguished by title', async () => {
  const posts = ['Version 1', 'Version 2'].map((title) => ({ guid: 'N/A', title, link: 'https://blog.example.com/changes' }));
  serveFeed('/one.xml', 'One', posts);
  const { items } = await readFeed();
  expect(items.map(({ title }) => title)).toEqual(['Version 1', 'Version 2']);
  const importResult = await editorSession.api.news.import({ ids: [items[0]?.id ?? ''] });
  expect(importResult.done).toHaveLength(1);
  expect((await readFeed()).items.map(({ title, known }) => [title, known])).toEqual([
    ['Version 1', true],
    ['Version 2', false],
  ]);
  expect((await editorSession.api.news.import({ ids: items.map(({ id }) => id) })).done.map(({ title }) => title)).toEqual([
    'Version 2',
  ]);
});

test('a post in two feeds is offered once', async () => {
  serveFeed('/one.xml', 'One', [{ guid: 'a', link: 'https://blog.example.com/same' }]);
  serveFeed('/two.xml', 'Two', [{ guid: 'b', link: 'https://blog.example.com/same' }]);
  expect((await readFeed()).items.map(({ feed: name }) => name)).toEqual(['One']);
});

test('a failing feed is named with its reason, and the other is still read', async () => {
  const { host } = new URL(origin);
  const failureCases: [RequestListener, string][] = [
    [(_, response) => response.writeHead(500).end(), 'unreachable'],
    [(_, response) => response.setHeader('content-type', 'text/html').end('<html>'), 'notAFeed'],
    [(_, response) => response.setHeader('content-type', 'text/xml').end('<html/>'), 'notAFeed'],
    [(_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(), 'blocked'],
    [(_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(), 'blocked'],
    [(_, response) => response.setHeader('content-type', 'text/xml').end(Buffer.alloc(3 * 1024 * 1024, ' ')), 'tooLarge'],
  ];
  serveFeed('/two.xml', 'Two', [{ guid: 'good' }]);
  for (const [listener, reason] of failureCases) {
    listeners.set('/one.xml', listener);
    const { items, failed } = await readFeed();
    expect(failed).toEqual([{ feed: `${host}/one.xml`, reason }]);
    expect(items.map(({ title }) => title)).toEqual(['good']);
  }
});

test('reading the feeds is audited', async () => {
  const auditCountBefore = await app.database.db.$count(audit);
  await readFeed();
  const rows = await app.database.db.select().from(audit).orderBy(audit.seq);
  expect(rows.length).toBe(auditCountBefore + 1);
  expect(rows.at(-1)).toMatchObject({ entity: 'feed', action: 'feed', permission: 'news.get', actorEmail: 'editor@demo.local' });
});

test('imported items are not shown, in the picked order, with an audit row each', async () => {
  serveFeed('/one.xml', 'One', [{ guid: 'a' }, { guid: 'b' }, { guid: 'c' }]);
  const { items } = await readFeed();
  const ids = ['c', 'a'].map((title) => items.find((item) => item.title === title)?.id ?? '');
  const { done, known } = await editorSession.api.news.import({ ids });
  expect(known).toBe(0);
  expect(done.map(({ title, link, image, shown, version }) => [title, link, image, shown, version])).toEqual([
    ['c', 'https://blog.example.com/c', null, false, 1],
    ['a', 'https://blog.example.com/a', null, false, 1],
  ]);
  expect(await editorSession.api.news.many({ ids: done.map(({ id }) => id) })).toEqual(done);
  const rows = await app.database.db.select().from(audit).orderBy(audit.seq);
  const lastEntries = rows.slice(-2).map(({ action, entityId }) => [action, entityId]);
  expect(new Set(lastEntries.map(String))).toEqual(new Set(done.map(({ id }) => `import,${id}`)));
  expect(new Map((await readFeed()).items.map(({ title, known: isKnown }) => [title, isKnown]))).toEqual(
    new Map([
      ['a', true],
      ['b', false],
      ['c', true],
    ]),
  );
});

test('skips items that are already news, by link, by feed item and by the link at the time of import', async () => {
  await addNews({ link: 'https://blog.example.com/a' });
  serveFeed('/one.xml', 'One', [{ guid: 'a' }, { guid: 'b' }, { guid: 'c' }]);
  const { items } = await readFeed();
  expect(items.filter(({ known }) => known).map(({ title }) => title)).toEqual(['a']);
  const ids = items.map(({ id }) => id);
  const importResult = await editorSession.api.news.import({ ids });
  expect([importResult.done.length, importResult.known]).toEqual([2, 1]);
  expect(await editorSession.api.news.import({ ids })).toEqual({ done: [], known: 3 });

  // Edited and moved items remain the same items.
  const newsB = importResult.done.find(({ title }) => title === 'b');
  if (!newsB) throw new Error('b was not imported');
  const { id, version, title } = newsB;
  await editorSession.api.news.edit({ id, version, ...build.newsFields({ title, link: 'https://elsewhere.example/' }) });
  serveFeed('/one.xml', 'One', [{ guid: 'b' }, { guid: 'c', link: 'https://blog.example.com/c-moved' }]);
  serveFeed('/two.xml', 'Two', [{ guid: 'other', link: 'https://blog.example.com/b' }]);
  expect((await readFeed()).items.map(({ known }) => known)).toEqual([true, true]);
  expect(await app.database.db.$count(news)).toBe(3);
});

test('a deleted item can be imported again', async () => {
  serveFeed('/one.xml', 'One', [{ guid: 'a' }]);
  const ids = (await readFeed()).items.map(({ id }) => id);
  const [row] = (await editorSession.api.news.import({ ids })).done;
  if (!row) throw new Error('not imported');
  await editorSession.api.news.remove({ items: [{ id: row.id, version: row.version }] });
  expect((await editorSession.api.news.import({ ids })).done).toHaveLength(1);
});

test('20 concurrent imports of the same items create each once', async () => {
  serveFeed('/one.xml', 'One', [{ guid: 'a' }, { guid: 'b' }, { guid: 'c' }]);
  serveFeed('/two.xml', 'Two', [{ guid: 'd' }]);
  const ids = (await readFeed()).items.map(({ id }) => id);
  const importResults = await Promise.all(
    Array.from({ length: 20 }, (_, n) => editorSession.api.news.import({ ids: n % 2 === 0 ? ids : ids.toReversed() })),
  );
  expect(await app.database.db.$count(news)).toBe(4);
  expect(importResults.reduce((sum, { done }) => sum + done.length, 0)).toBe(4);
  expect(importResults.every(({ done, known }) => done.length + known === 4)).toBe(true);
});

test('two feeds with one post create one row when imported concurrently', async () => {
  serveFeed('/one.xml', 'One', [{ guid: 'a', link: 'https://blog.example.com/same' }]);
  serveFeed('/two.xml', 'Two', [{ guid: 'b', link: 'https://blog.example.com/same' }]);
  await readFeed();
  const storedItems = await app.database.db.select({ id: feedItems.id }).from(feedItems);
  expect(storedItems).toHaveLength(2);
  const outcomes = await Promise.all(storedItems.map(({ id }) => editorSession.api.news.import({ ids: [id] })));
  expect(outcomes.map(({ done }) => done.length).toSorted((a, b) => a - b)).toEqual([0, 1]);
  expect(await app.database.db.$count(news)).toBe(1);
});

test('images of imported items are fetched into our store', async () => {
  const picture = Buffer.from(await drawPicture(1));
  listeners.set('/good.png', (_, response) => response.setHeader('content-type', 'image/png').end(picture));
  listeners.set('/script.png', (_, response) => response.setHeader('content-type', 'image/png').end('<script>alert(1)</script>'));
  const images = {
    good: `${origin}/good.png`,
    hostile: `${origin}/script.png`,
    gone: `${origin}/gone.png`,
    inside: 'http://127.0.0.1:1/x.png',
  };
  serveFeed(
    '/one.xml',
    'One',
    Object.entries(images).map(([guid, image]) => ({ guid, image })),
  );
  const { done } = await editorSession.api.news.import({ ids: (await readFeed()).items.map(({ id }) => id) });
  const findImage = (name: string) => done.find(({ title }) => title === name)?.image;
  expect(findImage('good')).toMatch(new RegExp(`^${origin}/pictures/[0-9a-f-]{36}\\.webp$`));
  expect(['hostile', 'gone', 'inside'].map(findImage)).toEqual([null, null, null]);
  const response = await send(app, 'GET', new URL(findImage('good') ?? '').pathname);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
});

test('importing unknown items is NOT_FOUND', async () => {
  const error = await editorSession.api.news.import({ ids: [randomUUID()] }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'NOT_FOUND' });
});

test('items missing from feeds for a month are deleted, unless imported', async () => {
  serveFeed('/one.xml', 'One', [{ guid: 'picked' }, { guid: 'left' }]);
  const { items } = await readFeed();
  await editorSession.api.news.import({ ids: items.filter(({ title }) => title === 'picked').map(({ id }) => id) });
  serveFeed('/one.xml', 'One', []);
  app.clock.now += 31 * 24 * 3_600_000;
  const newSession = await signInAs(app, 'editor'); // the session has ended
  await newSession.api.news.feed();
  expect((await app.database.db.select().from(feedItems)).map(({ title }) => title)).toEqual(['picked']);
  editorSession = newSession;
});

test('only the configured feeds are requested', async () => {
  serveFeed('/one.xml', 'One', [{ guid: 'a', image: `${origin}/not-before-import.png` }]);
  await readFeed();
  expect(requestedPaths.toSorted()).toEqual(['/one.xml', '/two.xml']);
});
