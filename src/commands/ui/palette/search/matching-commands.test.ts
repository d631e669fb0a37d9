import { expect, test } from 'vitest';
import { registry } from '../../../app/all.ts';
import { matchingCommands } from './matching-commands.ts';
import { matchCommand, parseQuery } from './search.ts';

const incrementalMatches = (query: string) =>
  matchingCommands(registry.all, query, 'zh').map(([{ id }, match, order]) => ({ id, match, order }));
const fullMatches = (query: string) =>
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
    const prefixes = [...word].map((_, index) => word.slice(0, index + 1));
    for (const query of [...prefixes, ...prefixes.toReversed(), `${word} `])
      expect(incrementalMatches(query), query).toEqual(fullMatches(query));
  }
});
