import { expect, test } from 'vitest';
import { maxEntries, parseFeedText, type FeedEntry } from './feed-parser.ts';

const feedUrl = 'https://blog.example.com/feed.xml';
const now = Date.UTC(2026, 10, 28);
const buildRss = (items: string, title = 'Blog') =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>${title}</title><link>https://blog.example.com</link><description>d</description>${items}</channel></rss>`;
const buildItem = (innerXml: string) =>
  buildRss(`<item><title>t</title><link>https://blog.example.com/1</link>${innerXml}</item>`);

function parseOnlyEntry(text: string): FeedEntry {
  const { entries } = parseFeedText(text, feedUrl, now);
  const [entry] = entries;
  if (!entry || entries.length !== 1) throw new Error(`expected one entry, got ${entries.length}`);
  return entry;
}

test('reads RSS', () => {
  const text = buildRss(
    '<item><title>YU &amp;amp; YBTC</title><link>https://blog.example.com/a?b=1&amp;c=2</link><guid isPermaLink="false">a</guid>' +
      '<description><![CDATA[<p>First</p><p>second</p>]]></description><pubDate>Tue, 02 Jan 2024 08:00:00 +0800</pubDate>' +
      '<enclosure url="https://blog.example.com/a.jpg" type="image/jpeg" length="1"/></item>',
  );
  expect(parseFeedText(text, feedUrl, now)).toMatchObject({ title: 'Blog' });
  expect(parseOnlyEntry(text)).toMatchObject({
    title: 'YU & YBTC',
    description: 'First\n\nsecond',
    link: 'https://blog.example.com/a?b=1&c=2',
    image: 'https://blog.example.com/a.jpg',
    time: '2024-01-02T00:00:00.000Z',
  });
});

test('reads Atom and distinguishes text from HTML', () => {
  const entry = parseOnlyEntry(
    '<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>x</id><updated>2024-01-01T00:00:00Z</updated><entry><id>1</id>' +
      '<title type="text">1 &lt; 2 &lt;b></title><link rel="self" href="https://a.example/self"/><link href="https://a.example/1"/>' +
      '<link rel="enclosure" type="image/png" href="https://a.example/1.png"/>' +
      '<content type="html">&lt;p&gt;Body&lt;/p&gt;</content><updated>2024-01-03T00:00:00Z</updated></entry></feed>',
  );
  expect(entry).toMatchObject({
    title: '1 < 2 <b>',
    description: 'Body',
    link: 'https://a.example/1',
    image: 'https://a.example/1.png',
    time: '2024-01-03T00:00:00.000Z',
  });
});

test('reads RDF', () => {
  const entry = parseOnlyEntry(
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/">' +
      '<channel rdf:about="https://a.example"><title>R</title><link>https://a.example</link><description>d</description></channel>' +
      '<item rdf:about="https://a.example/1"><title>T</title><link>https://a.example/1</link><description>D</description><dc:date>2024-01-04T00:00:00Z</dc:date></item></rdf:RDF>',
  );
  expect(entry).toMatchObject({ title: 'T', description: 'D', link: 'https://a.example/1', time: '2024-01-04T00:00:00.000Z' });
});

test('reads JSON Feed', () => {
  const entry = parseOnlyEntry(
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'J',
      items: [
        {
          id: '1',
          url: 'https://a.example/1',
          title: 'a <b> c',
          content_html: '<p>Hi',
          image: 'https://a.example/1.webp',
          date_published: '2024-01-05T00:00:00Z',
        },
      ],
    }),
  );
  expect(entry).toMatchObject({
    title: 'a <b> c',
    description: 'Hi',
    image: 'https://a.example/1.webp',
    time: '2024-01-05T00:00:00.000Z',
  });
});

test('takes an image from media, iTunes or the text, if any', () => {
  const readImage = (innerXml: string) => parseOnlyEntry(buildItem(innerXml)).image;
  expect(readImage('<media:content url="https://a.example/m.png" medium="image"/>')).toBe('https://a.example/m.png');
  expect(
    readImage(
      '<media:group><media:content url="https://a.example/v.mp4" type="video/mp4"><media:thumbnail url="https://a.example/t.png"/></media:content></media:group>',
    ),
  ).toBe('https://a.example/t.png');
  expect(readImage('<itunes:image href="https://a.example/i.png"/>')).toBe('https://a.example/i.png');
  expect(readImage('<content:encoded><![CDATA[<img src="/in-text.png">]]></content:encoded>')).toBe(
    'https://blog.example.com/in-text.png',
  );
  expect(readImage('<enclosure url="https://a.example/a.mp3" type="audio/mpeg" length="1"/>')).toBeNull();
  expect(
    readImage('<description>&lt;img src="data:image/png;base64,AAAA"&gt;&lt;img src="javascript:alert(1)"&gt;</description>'),
  ).toBeNull();
});

test('skips entries without an http(s) link', () => {
  const invalidLinks = [
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user:pass@a.example/',
    'ftp://a.example/',
    'not a link',
    '//',
    '',
    'java\nscript:alert(1)',
    `https://a.example/${'x'.repeat(3000)}`,
  ];
  for (const link of invalidLinks) {
    expect(
      parseFeedText(buildRss(`<item><title>t</title><link><![CDATA[${link}]]></link></item>`), feedUrl, now).entries,
      link,
    ).toEqual([]);
  }
});

test('markup in titles and descriptions becomes plain text', () => {
  const entry = parseOnlyEntry(
    buildRss(
      '<item><title><![CDATA[<img src=x onerror=alert(1)>Price<script>alert(2)</script> up]]></title><link>https://a.example/</link>' +
        '<description>&lt;svg onload=alert(3)&gt;x&lt;/svg&gt;safe &amp;lt;b&amp;gt;</description></item>',
    ),
  );
  expect(entry.title).toBe('Price up');
  expect(entry.description).toBe('safe <b>');
});

test('shortens long fields and fills empty ones', () => {
  const longFeedEntry = parseOnlyEntry(
    buildRss(
      `<item><title>${'长'.repeat(900)}</title><link>https://a.example/</link><description>${'d'.repeat(9000)}</description></item>`,
    ),
  );
  expect([longFeedEntry.title.length, longFeedEntry.description.length]).toEqual([200, 5000]);
  expect(
    parseOnlyEntry(buildRss('<item><link>https://a.example/1</link><description>Only text</description></item>')),
  ).toMatchObject({
    title: 'Only text',
    description: 'Only text',
  });
  expect(parseOnlyEntry(buildRss('<item><link>https://a.example/1</link></item>'))).toMatchObject({
    title: 'https://a.example/1',
    description: 'https://a.example/1',
  });
});

test('gives no date for an unreadable date', () => {
  for (const date of ['yesterday', '', '0000-00-00', 'Tue, 99 Foo 2024', '1950-01-01', '+275760-09-13']) {
    expect(parseOnlyEntry(buildItem(`<pubDate>${date}</pubDate>`)).time, date).toBeNull();
  }
});

test('an entry keeps its identity when its title and link change', () => {
  const entry = (title: string, link: string) =>
    parseOnlyEntry(buildRss(`<item><title>${title}</title><link>${link}</link><guid isPermaLink="false">same</guid></item>`));
  expect(entry('a', 'https://a.example/1').guid).toBe(entry('b', 'https://a.example/2').guid);
});

const buildAtom = (entry: string, base = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom"${base}><title>f</title><id>urn:f</id><updated>2026-11-27T08:00:00Z</updated>${entry}</feed>`;
const buildAtomEntry = (innerXml: string, attributes = '') =>
  `<entry${attributes}><title>one</title><id>urn:1</id>${innerXml}<updated>2026-11-27T08:00:00Z</updated></entry>`;

test.each([
  [
    buildAtom(buildAtomEntry('<link href="2026/11/post.html"/>'), ' xml:base="https://blog.example/base/"'),
    'https://blog.example/base/2026/11/post.html',
  ],
  [
    buildAtom(buildAtomEntry('<link href="post.html"/>', ' xml:base="2026/"'), ' xml:base="https://blog.example/base/"'),
    'https://blog.example/base/2026/post.html',
  ],
  [buildAtom(buildAtomEntry('<link href="post.html"/>')), 'https://blog.example.com/post.html'],
  [buildRss('<item><title>t</title><link>/2024/post</link></item>'), 'https://blog.example.com/2024/post'],
  [buildRss('<item><title>t</title><link>//other.example/post</link></item>'), 'https://other.example/post'],
  [
    buildRss('<item><title>t</title><link>post.html?a=1</link></item>').replace(
      'https://blog.example.com',
      'https://site.example/news/',
    ),
    'https://site.example/news/post.html?a=1',
  ],
  [
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'J',
      home_page_url: 'https://site.example/',
      items: [{ id: 'abc/1', url: '/posts/1', content_text: 'x' }],
    }),
    'https://site.example/posts/1',
  ],
])('a relative link is resolved by xml:base, the site or the feed address: %#', (text, link) => {
  expect(parseOnlyEntry(text).link).toBe(link);
});

test.each([
  ['an RSS link', buildRss('<item><title>t</title><link>my-post</link></item>'), 'https://blog.example.com/my-post'],
  ['an Atom href', buildAtom(buildAtomEntry('<link href="my-post"/>')), 'https://blog.example.com/my-post'],
  ['an Atom href with spaces', buildAtom(buildAtomEntry('<link href="my post"/>')), 'https://blog.example.com/my%20post'],
])('a relative link of one word is read from %s', (_, text, link) => {
  expect(parseOnlyEntry(text).link).toBe(link);
});

test.each(['Read more', 'none', 'N/A'])('ignores the RSS link %j', (text) => {
  expect(parseFeedText(buildRss(`<item><title>t</title><link>${text}</link></item>`), feedUrl, now).skipped.noLink).toBe(1);
});

test('gives no date to an entry dated more than two days ahead', () => {
  const parsedTimeOf = (hours: number) =>
    parseOnlyEntry(buildItem(`<pubDate>${new Date(now + hours * 3_600_000).toUTCString()}</pubDate>`)).time;
  expect(parsedTimeOf(49)).toBeNull();
  expect(parsedTimeOf(47)).toBe('2026-11-29T23:00:00.000Z');
});

const addRssBase = (text: string) => text.replace('<rss ', '<rss xml:base="https://base.example/a/" ');
test.each([
  ['rss', addRssBase(buildRss('<item><title>t</title><link>post</link></item>')), 'https://base.example/a/post'],
  [
    'item',
    buildRss('<item xml:base="https://base.example/b/"><title>t</title><link>post</link></item>'),
    'https://base.example/b/post',
  ],
  [
    'item within rss',
    addRssBase(buildRss('<item xml:base="b/"><title>t</title><link>post</link></item>')),
    'https://base.example/a/b/post',
  ],
])('a relative link in RSS is resolved by the xml:base of %s', (_, text, link) => {
  expect(parseOnlyEntry(text).link).toBe(link);
});

test.each([
  [
    'an Atom link',
    (address: string) => buildAtom(buildAtomEntry(`<link title="a" xml:base='https://base.example/' href="${address}"/>`)),
  ],
  [
    'an RSS link',
    (address: string) => buildRss(`<item><title>t</title><link xml:base="https://base.example/">${address}</link></item>`),
  ],
  [
    'an RSS channel',
    (address: string) =>
      buildRss(`<item><title>t</title><link>${address}</link></item>`).replace(
        '<channel>',
        '<channel xml:base="https://base.example/">',
      ),
  ],
])('only absolute links are read where %s has an xml:base', (_, text) => {
  expect(parseFeedText(text('post.html'), feedUrl, now)).toMatchObject({ entries: [], skipped: { noLink: 1 } });
  expect(parseOnlyEntry(text('https://a.example/1')).link).toBe('https://a.example/1');
});

test('only absolute images are read from Atom content with an xml:base', () => {
  const readImage = (address: string) =>
    parseOnlyEntry(
      buildAtom(
        buildAtomEntry(
          `<link href="post"/><content type="html" xml:base="https://base.example/">&lt;img src="${address}"></content>`,
        ),
      ),
    );
  expect(readImage('a.png')).toMatchObject({ link: 'https://blog.example.com/post', image: null });
  expect(readImage('https://a.example/a.png').image).toBe('https://a.example/a.png');
});

test('does not use an id that is not an address as a link', () => {
  expect(parseFeedText(buildRss('<item><title>t</title><guid>tag/2024.1</guid></item>'), feedUrl, now)).toMatchObject({
    entries: [],
    skipped: { noLink: 1 },
  });
});

test.each([
  ['https://site.example/my article.html', 'https://site.example/my%20article.html'],
  ['https://site.example/日报?q=a b', 'https://site.example/%E6%97%A5%E6%8A%A5?q=a%20b'],
])('encodes illegal characters in the link %j', (link, encoded) => {
  expect(parseOnlyEntry(buildRss(`<item><title>t</title><link>${link}</link></item>`)).link).toBe(encoded);
});

test.each([
  ['different links', ['Version 1', '/1', 'N/A'], ['Version 2', '/2', 'N/A']],
  ['different titles', ['Version 1', '/changes', 'same'], ['Version 2', '/changes', 'same']],
  ['different titles without ids', ['Version 1', '/changes', ''], ['Version 2', '/changes', '']],
  ['different ids', ['Version', '/1', 'a'], ['Version', '/1', 'b']],
])('distinguishes entries by %s', (_, ...items) => {
  const text = buildRss(
    items
      .map(
        ([title = '', path = '', guid = '']) =>
          `<item><title>${title}</title><link>https://site.example${path}</link>${guid && `<guid isPermaLink="false">${guid}</guid>`}</item>`,
      )
      .join(''),
  );
  const { entries, skipped } = parseFeedText(text, feedUrl, now);
  expect(new Set(entries.map(({ guid }) => guid)).size).toBe(2);
  expect(skipped.repeated).toBe(0);
});

test('reads the newest hundred entries of a feed that starts with the oldest', () => {
  const items = Array.from(
    { length: 150 },
    (_, index) =>
      `<item><title>${index}</title><link>https://m.example/${index}</link><pubDate>${new Date(Date.UTC(2026, 0, index + 1)).toUTCString()}</pubDate></item>`,
  );
  const { entries, skipped } = parseFeedText(buildRss(items.join('')), feedUrl, now);
  expect([entries.length, entries[0]?.title, entries.at(-1)?.title, skipped.older]).toEqual([100, '149', '50', 50]);
});

test('keeps the place of an entry with an unreadable date', () => {
  const buildDatedItem = (title: string, date: string) =>
    `<item><title>${title}</title><link>https://m.example/${title}</link><pubDate>${date}</pubDate></item>`;
  const text = buildRss(
    [
      buildDatedItem('new', 'Fri, 27 Nov 2026 08:00:00 GMT'),
      buildDatedItem('undated', 'Sat, 28 Mar 2020 12:00:00 IST'),
      buildDatedItem('old', 'Wed, 25 Nov 2026 08:00:00 GMT'),
    ].join(''),
  );
  expect(parseFeedText(text, feedUrl, now).entries.map(({ title, time }) => [title, time])).toEqual([
    ['new', '2026-11-27T08:00:00.000Z'],
    ['undated', null],
    ['old', '2026-11-25T08:00:00.000Z'],
  ]);
});

test('a feed behind a byte order mark, blank lines or a comment is read', () => {
  for (const prefix of ['\uFEFF', '\n\n  ', '<!-- made by x -->\n'])
    expect(parseOnlyEntry(prefix + buildItem('').replace('<?xml version="1.0"?>', '')).title, prefix).toBe('t');
});

test('names a feed without a title by its host, and limits its entries', () => {
  const manyItems = Array.from(
    { length: maxEntries + 20 },
    (_, n) => `<item><title>t</title><link>https://a.example/${n}</link></item>`,
  ).join('');
  const { title, entries } = parseFeedText(buildRss(manyItems, ''), feedUrl, now);
  expect(title).toBe('blog.example.com');
  expect(entries.length).toBe(maxEntries);
});

test('entity bombs and external entities do nothing', () => {
  const entityLevels = Array.from({ length: 12 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join('');
  const buildEntityBomb = (entity: string) =>
    `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "ha">${entityLevels}<!ENTITY file SYSTEM "file:///etc/passwd">]>` +
    buildRss(`<item><title>${entity}</title><link>https://a.example/</link></item>`).replace('<?xml version="1.0"?>', '');
  for (const entity of ['&e12;', '&file;']) {
    let title: string | undefined;
    try {
      title = parseOnlyEntry(buildEntityBomb(entity)).title;
    } catch {
      continue;
    }
    expect(title.length).toBeLessThan(50);
    expect(title).not.toContain('root:');
  }
});

test('treats names of prototypes as ordinary names', () => {
  const text = buildRss(
    '<item><title>t</title><link>https://a.example/</link><__proto__><polluted>1</polluted></__proto__><constructor>x</constructor></item>',
  );
  try {
    parseFeedText(text, feedUrl, now);
  } catch {
    // refusing the whole feed is fine too
  }
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
});

test('refuses anything that is not a feed', () => {
  for (const text of [
    '',
    'hello',
    '<html><body>x</body></html>',
    'null',
    '[]',
    '{"items":[]}',
    '<rss',
    '<rss version="2.0">',
    '\u0000',
  ]) {
    expect(() => parseFeedText(text, feedUrl, now), text).toThrow();
  }
});

test('handles a deeply nested feed in bounded time', () => {
  const text = buildRss(`<item><title>t</title><link>https://a.example/</link><x>${'<a>'.repeat(200_000)}</x></item>`);
  try {
    expect(parseFeedText(text, feedUrl, now).entries.length).toBeLessThanOrEqual(1);
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
});
