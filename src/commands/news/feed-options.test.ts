import { beforeAll, expect, test } from 'vitest';
import { enResources } from '../../lib/i18n/en-US/resources.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import type { Api } from '../../lib/net/client.ts';
import { feedOptions } from './feed-options.ts';

beforeAll(() => setDictionary('en-US', enResources));

const post = (id: string, feed: string) => ({
  id,
  title: id,
  description: '',
  link: '',
  image: null,
  feed,
  time: null,
  known: false,
});

test('names the source of a post only where it differs from the post above', async () => {
  const items = [post('1', 'a.example'), post('2', 'a.example'), post('3', 'b.example'), post('4', 'a.example')];
  const api = { news: { feed: async () => ({ items, failed: [], skipped: [] }) } } as unknown as Api;
  const options = await feedOptions({ api, targets: [], signal: new AbortController().signal });
  expect(options.map(({ note }) => note?.split(' · ').length)).toEqual([2, 1, 2, 2]);
  expect(options.map(({ preview }) => preview?.[0]?.text)).toEqual(['a.example', 'a.example', 'b.example', 'a.example']);
});
