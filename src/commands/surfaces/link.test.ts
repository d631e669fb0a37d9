import { expect, test } from 'vitest';
import { parseLink, screenOf } from './link.ts';

test('a link names a command, its targets and only the parameters it has', async () => {
  expect(await parseLink('/~news.edit', '?id=a&id=b&title=x&evil=1')).toEqual({
    id: 'news.edit',
    targets: ['a', 'b'],
    params: { title: 'x' },
  });
  expect(await parseLink('/~go.home', '')).toEqual({ id: 'go.home' });
  expect(await parseLink('/~constructor', '')).toBeNull();
  expect(await parseLink('/news', '')).toBeNull();
});

test('it opens the screen its command stands on', () => {
  expect(screenOf({ id: 'news.edit' })).toBe('/news');
  expect(screenOf({ id: 'theme.set' })).toBe('/');
});
