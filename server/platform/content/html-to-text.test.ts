import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHtml, truncateText, tidyText } from './html-to-text.ts';

const htmlToText = (html: string) => readHtml(html).text;

test('removes tags, keeps their text and puts blocks on lines', () => {
  expect(htmlToText('<p>Hello <b>big</b> world</p><p>again</p>')).toBe('Hello big world\n\nagain');
  expect(htmlToText('one<br>two<br/>three')).toBe('one\ntwo\nthree');
  expect(htmlToText('<ul><li>a</li><li>b</li></ul>')).toBe('a\n\nb');
});

test('entities are decoded once', () => {
  expect(htmlToText('A &amp; B &lt;b&gt; &#20320;&#x597d; &hellip;')).toBe('A & B <b> 你好 …');
  expect(htmlToText('&amp;lt;script&amp;gt;')).toBe('&lt;script&gt;');
});

test('a lone less-than sign is text', () => {
  expect(htmlToText('1 < 2 and 3 <4')).toBe('1 < 2 and 3 <4');
});

test('removes scripts, styles and comments, closed or not', () => {
  expect(htmlToText('a<script>alert("<b>")</script>b')).toBe('ab');
  expect(htmlToText('a<SCRIPT src=x>alert(1)</ScRiPt >b')).toBe('ab');
  expect(htmlToText('a<style>p{}</style>b<!-- c --> d')).toBe('ab d');
  expect(htmlToText('a<script>alert(1)')).toBe('a');
  expect(htmlToText('a<!-- never closed')).toBe('a');
  expect(htmlToText('a<svg><script>alert(1)</script></svg>b')).toBe('ab');
});

test('a quoted greater-than sign does not end a tag', () => {
  expect(htmlToText('<a title="x > y" href=\'>\'>text</a>')).toBe('text');
  expect(htmlToText('<img alt="a>b" src="https://a.example/1.png">after')).toBe('after');
});

test('finds images in order and decodes their addresses', () => {
  const html = '<p><img src="https://a.example/?a=1&amp;b=2"><IMG SRC=\'b.png\'><img alt="x"data-src=y.png src=c.png></p>';
  expect(readHtml(html).images).toEqual(['https://a.example/?a=1&b=2', 'b.png', 'c.png']);
});

test('removes control characters, direction overrides and broken surrogates', () => {
  expect(tidyText('a\u0000b\u0007c\u202Ed\u2066e\uD800f')).toBe('abcde\uFFFDf');
  expect(htmlToText('&#0;a&#x202e;b')).toBe('\uFFFDab');
});

test('shortening keeps whole characters', () => {
  expect(truncateText('abcdef', 6)).toBe('abcdef');
  expect(truncateText('abcdefg', 6)).toBe('abcde…');
  expect(truncateText('abcd😀😀', 6)).toBe('abcd…');
});

test('keeps any text without markup, except for spaces', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const plainText = tidyText(text.replaceAll(/[<&]/g, ''));
      expect(htmlToText(plainText)).toBe(plainText);
    }),
    { seed: 1 },
  );
});

test('markup of any shape is read in linear time', () => {
  expect(readHtml(`<img ${'a-'.repeat(150_000)} src=b.png>`).images).toEqual(['b.png']);
  for (const fragment of ['<', '<a', '<a "', '<!--', '<script>', '<img src=', '</p', '&amp', '&#']) {
    const html = fragment.repeat(200_000);
    expect(htmlToText(html).length).toBeLessThanOrEqual(html.length);
  }
});
