import { createAdaptorServer } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { devFeedPath } from '../news/feeds.ts';
import { devFeedRoutes } from './feed.ts';
import { feedUrls } from '../news/feeds.ts';
import { readConfig } from '../platform/core/config.ts';
import { parseFeedText } from '../platform/content/feed-parser.ts';
import { send, signInAs, createTestApp } from '../testing/support.ts';

const productionConfig = readConfig({ NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com' });

test('the development feed has stable items in both languages, some with pictures', async () => {
  const app = await createTestApp();
  const readFeed = async () => (await send(app, 'GET', devFeedPath)).text();
  const text = await readFeed();
  app.clock.now += 1;
  expect(await readFeed()).toBe(text);
  const { entries } = parseFeedText(text, 'http://localhost/', app.clock.now);
  expect(entries).toHaveLength(12);
  expect(entries.filter(({ title }) => /[\u4e00-\u9fff]/.test(title)).length).toBeGreaterThan(3);
  expect(entries.filter(({ title }) => !/[\u4e00-\u9fff]/.test(title)).length).toBeGreaterThan(3);
  expect(entries.filter(({ image }) => image !== null).length).toBeGreaterThan(5);
  expect(entries.every(({ time, description }) => time !== null && !/[<>]|&amp;/.test(description.replace('ICR < ', '')))).toBe(
    true,
  );
  for (const { time } of entries) expect(Date.parse(time ?? '')).toBeLessThan(app.clock.now);
});

test('production has no development feed, and reads only configured ones', () => {
  expect(devFeedRoutes(productionConfig)).toEqual([]);
  expect(feedUrls(productionConfig)).toEqual([]);
  expect(feedUrls({ ...productionConfig, newsFeeds: ['https://blog.example.com/feed'] })).toEqual([
    'https://blog.example.com/feed',
  ]);
});

test('Get News without configured feeds reads the server’s own, with pictures', async () => {
  let respond: (request: Request) => Promise<Response> = async () => new Response(null, { status: 503 });
  const server = createAdaptorServer({ fetch: (request) => respond(request) });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const app = await createTestApp({ PUBLIC_URL: origin });
  respond = (request) => app.http.fetch(request);

  const { api } = await signInAs(app, 'editor');
  const { items, failed } = await api.news.feed();
  expect([items.length, failed]).toEqual([12, []]);
  const { done, known } = await api.news.import({ ids: items.map(({ id }) => id) });
  expect([done.length, known]).toEqual([12, 0]);
  const pictureCount = items.filter(({ image }) => image !== null).length;
  expect(done.filter(({ image }) => image?.startsWith(`${origin}/pictures/`)).length).toBe(pictureCount);
});
