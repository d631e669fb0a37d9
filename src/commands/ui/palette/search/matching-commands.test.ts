import { expect, test } from 'vitest';
import { registry } from '../../../app/all.ts';
import { matchingCommands } from './matching-commands.ts';
import { matchCommand, parseQuery } from './search.ts';

const found = (query: string) =>
  matchingCommands(registry.all, query, 'zh').map(([{ id }, match, order]) => ({ id, match, order }));
const foundAnew = (query: string) =>
  registry.all.flatMap(({ id }, order) => {
    const match = matchCommand(id, parseQuery(query), 'zh');
    return match ? [{ id, match, order }] : [];
  });

test('a query finds the same whether typed letter by letter, deleted, or replaced', () => {
  const words = [
    'delete news',
    'scxw',
    'shanchu xinwen',
    '删除新闻',
    'go.news',
    'dnws',
    'ljqb',
    'evm wal',
    'qxsz (',
    'zzz',
    'news.e',
    '下架 新闻',
    'xiajiaxinwen',
    'switch to english',
    'take down news',
    'my list',
  ];
  for (const word of words) {
    const beginnings = [...word].map((_, at) => word.slice(0, at + 1));
    for (const query of [...beginnings, ...beginnings.toReversed(), `${word} `])
      expect(found(query), query).toEqual(foundAnew(query));
  }
});
