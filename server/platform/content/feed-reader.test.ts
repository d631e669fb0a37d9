import { expect, test } from 'vitest';
import { readFeeds } from './feed-reader.ts';
import { FetchRefusedError, type SafeFetch } from './safe-fetch.ts';

const now = Date.UTC(2026, 10, 28);
const buildFeed = (title: string) =>
  `<rss version="2.0"><channel><title>${title}</title><item><title>${title} 1</title><link>https://a.example/1</link></item><item><title>again</title><link>https://a.example/1</link></item></channel></rss>`;

const createFakeFetch =
  (byPath: Record<string, string | Uint8Array | FetchRefusedError>, contentType = 'text/xml'): SafeFetch =>
  async (address, requestedUrl) => {
    const body = byPath[new URL(address).pathname] ?? new FetchRefusedError('unreachable', 'nothing there');
    if (body instanceof FetchRefusedError) throw body;
    if (!requestedUrl.accepts(contentType.split(';')[0] ?? '')) throw new FetchRefusedError('wrongType', contentType);
    return { url: address, bytes: typeof body === 'string' ? Buffer.from(body) : body, contentType };
  };

test('names each failing feed with its reason and reads the others', async () => {
  const urls = ['/good', '/blocked?key=secret', '/large', '/page', '/gone', '/other'].map((path) => `https://a.example${path}`);
  const safeFetch = createFakeFetch({
    '/good': buildFeed('Good'),
    '/blocked': new FetchRefusedError('blocked', ''),
    '/large': new FetchRefusedError('tooLarge', ''),
    '/page': '<html></html>',
    '/other': buildFeed('Other'),
  });
  const { feeds, failed } = await readFeeds(urls, safeFetch, now);
  expect(feeds.map(({ title }) => title)).toEqual(['Good', 'Other']);
  expect(failed).toEqual([
    { feed: 'a.example/blocked', reason: 'blocked' },
    { feed: 'a.example/large', reason: 'tooLarge' },
    { feed: 'a.example/page', reason: 'notAFeed' },
    { feed: 'a.example/gone', reason: 'unreachable' },
  ]);
});

test('relative links of a feed that redirects belong to its final address, and the feed to the configured one', async () => {
  const text = '<rss version="2.0"><channel><title>F</title><item><title>t</title><link>post</link></item></channel></rss>';
  const redirectingFetch: SafeFetch = async () => ({
    url: 'https://new.example/blog/feed',
    bytes: Buffer.from(text),
    contentType: '',
  });
  const { feeds } = await readFeeds(['https://a.example/feed'], redirectingFetch, now);
  expect(feeds).toMatchObject([{ url: 'https://a.example/feed', entries: [{ link: 'https://new.example/blog/post' }] }]);
});

test('distinguishes entries with the same link by their titles', async () => {
  const { feeds } = await readFeeds(['https://a.example/good'], createFakeFetch({ '/good': buildFeed('Good') }), now);
  expect(feeds[0]?.entries.map(({ title }) => title)).toEqual(['Good 1', 'again']);
});

test.each([
  'text/plain; charset=utf-8',
  'application/octet-stream',
  'text/html',
  'image/svg+xml',
  '',
  'text/xml; charset=no-such',
])('a feed served as %j is read, because the operator configured its address', async (type) => {
  const { feeds, failed } = await readFeeds(
    ['https://a.example/good'],
    createFakeFetch({ '/good': buildFeed('Good') }, type),
    now,
  );
  expect(failed).toEqual([]);
  expect(feeds[0]?.entries).toHaveLength(2);
});

test('refuses a web page, whatever its media type', async () => {
  for (const type of ['text/html', 'application/rss+xml', '']) {
    const { failed } = await readFeeds(
      ['https://a.example/page'],
      createFakeFetch({ '/page': '<!doctype html><html></html>' }, type),
      now,
    );
    expect(failed, type).toEqual([{ feed: 'a.example/page', reason: 'notAFeed' }]);
  }
});

test('counts skipped entries by reason', async () => {
  const datedItems = Array.from(
    { length: 103 },
    (_, index) =>
      `<item><title>${index}</title><link>https://a.example/${index}</link><pubDate>${new Date(Date.UTC(2026, 0, index + 1)).toUTCString()}</pubDate></item>`,
  ).join('');
  const repeatedItem = '<item><title>x</title><link>https://a.example/x</link><guid isPermaLink="false">x</guid></item>'.repeat(
    3,
  );
  const text = `<rss version="2.0"><channel><title>F</title>${datedItems}${repeatedItem}<item><title>no link</title></item></channel></rss>`;
  const { feeds, skipped } = await readFeeds(['https://a.example/f'], createFakeFetch({ '/f': text }), now);
  expect(feeds[0]?.entries).toHaveLength(100);
  expect(skipped).toEqual([
    { feed: 'F', reason: 'noLink', count: 1 },
    { feed: 'F', reason: 'repeated', count: 2 },
    { feed: 'F', reason: 'older', count: 4 },
  ]);
});

const gbkTitle = Buffer.from([0xc8, 0xd5, 0xb1, 0xa8]); // 日报
const buildGbkFeed = (declaration = '') =>
  Buffer.concat([
    Buffer.from(`${declaration}<rss version="2.0"><channel><title>`),
    gbkTitle,
    Buffer.from('</title><item><title>t</title><link>https://a.example/1</link></item></channel></rss>'),
  ]);
const plainFeed = '<rss version="2.0"><channel><title>日报</title><item><link>https://a.example/1</link></item></channel></rss>';
const encodeUtf16 = (byteOrderMark: string) => Buffer.from(`${byteOrderMark}${plainFeed}`, 'utf16le');

test.each<[string, Uint8Array | string, string]>([
  ['single quotes in the declaration', buildGbkFeed("<?xml version='1.0' encoding='gb2312'?>"), 'text/xml'],
  ['single quotes in the header', buildGbkFeed(), "text/xml; charset='gb2312'"],
  ['the header alone', buildGbkFeed(), 'application/rss+xml; charset=GBK'],
  ['no declaration at all', buildGbkFeed(), 'text/xml'],
  ['a header that is wrong', buildGbkFeed('<?xml version="1.0" encoding="GBK"?>'), 'text/xml; charset=utf-8'],
  ['a declaration that is unknown', buildGbkFeed('<?xml version="1.0" encoding="x-none"?>'), 'text/xml'],
  ['a byte order mark against a wrong header', `\uFEFF${plainFeed}`, 'text/xml; charset=gbk'],
  ['UTF-16 with a mark', encodeUtf16('\uFEFF'), 'text/xml'],
  ['UTF-16 without a mark', encodeUtf16(''), 'application/octet-stream'],
])('the encoding of a feed is found by %s', async (_, body, type) => {
  const { feeds } = await readFeeds(['https://a.example/f'], createFakeFetch({ '/f': body }, type), now);
  expect(feeds[0]?.title).toBe('日报');
});

test('the encoding of a feed in Windows-1252 without a declaration is found', async () => {
  const body = Buffer.from(plainFeed.replace('日报', 'Prämie für alle'), 'latin1');
  const { feeds } = await readFeeds(['https://a.example/f'], createFakeFetch({ '/f': body }), now);
  expect(feeds[0]?.title).toBe('Prämie für alle');
});

test('reads a feed in an older Chinese encoding', async () => {
  const namedGbkFeed = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="gb2312"?><rss version="2.0"><channel><title>'),
    Buffer.from([0xd0, 0xc2, 0xce, 0xc5]), // 新闻
    Buffer.from('</title><item><title>t</title><link>https://a.example/1</link></item></channel></rss>'),
  ]);
  const { feeds } = await readFeeds(['https://a.example/named'], createFakeFetch({ '/named': namedGbkFeed }), now);
  expect(feeds[0]?.title).toBe('新闻');
});
