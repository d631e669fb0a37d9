import { expect, test } from 'vitest';
import { readFeeds } from './feed-reader.ts';
import { FetchRefused, type SafeFetch } from './safe-fetch.ts';

const feed = (title: string) =>
  `<rss version="2.0"><channel><title>${title}</title><item><title>${title} 1</title><link>https://a.example/1</link></item><item><title>again</title><link>https://a.example/1</link></item></channel></rss>`;

/** Answers by path what a server would have sent. */
const answering =
  (byPath: Record<string, string | Uint8Array | FetchRefused>, contentType = 'text/xml'): SafeFetch =>
  async (address, wanted) => {
    const body = byPath[new URL(address).pathname] ?? new FetchRefused('unreachable', 'nothing there');
    if (body instanceof FetchRefused) throw body;
    if (!wanted.accepts(contentType.split(';')[0] ?? '')) throw new FetchRefused('wrongType', contentType);
    return { bytes: typeof body === 'string' ? Buffer.from(body) : body, contentType };
  };

test('each feed that fails is named with its reason and the others still come', async () => {
  const urls = ['/good', '/blocked?key=secret', '/large', '/page', '/gone', '/other'].map((path) => `https://a.example${path}`);
  const safeFetch = answering({
    '/good': feed('Good'),
    '/blocked': new FetchRefused('blocked', ''),
    '/large': new FetchRefused('tooLarge', ''),
    '/page': '<html></html>',
    '/other': feed('Other'),
  });
  const { feeds, failed } = await readFeeds(urls, safeFetch);
  expect(feeds.map(({ title }) => title)).toEqual(['Good', 'Other']);
  expect(failed).toEqual([
    { feed: 'a.example/blocked', reason: 'blocked' },
    { feed: 'a.example/large', reason: 'tooLarge' },
    { feed: 'a.example/page', reason: 'notAFeed' },
    { feed: 'a.example/gone', reason: 'unreachable' },
  ]);
});

test('an entry that a feed has twice comes once', async () => {
  const { feeds } = await readFeeds(['https://a.example/good'], answering({ '/good': feed('Good') }));
  expect(feeds[0]?.entries.map(({ title }) => title)).toEqual(['Good 1']);
});

test('web pages and unknown charsets are no feeds', async () => {
  for (const type of ['text/html', 'image/svg+xml', 'text/plain', '', 'text/xml; charset=no-such']) {
    const { failed } = await readFeeds(['https://a.example/good'], answering({ '/good': feed('Good') }, type));
    expect(failed, type).toEqual([{ feed: 'a.example/good', reason: 'notAFeed' }]);
  }
});

test('a feed in an older Chinese encoding is read as it was meant', async () => {
  const named = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="gb2312"?><rss version="2.0"><channel><title>'),
    Buffer.from([0xd0, 0xc2, 0xce, 0xc5]), // 新闻
    Buffer.from('</title><item><title>t</title><link>https://a.example/1</link></item></channel></rss>'),
  ]);
  const { feeds } = await readFeeds(['https://a.example/named'], answering({ '/named': named }));
  expect(feeds[0]?.title).toBe('新闻');
});
