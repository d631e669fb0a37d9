import { expect, test } from 'vitest';
import { execFileSync } from 'node:child_process';
import { allNames as names } from '../../../../../api/all-names.ts';
import type { CommandId } from '../../../../../api/names.ts';
import { matchPinyin } from '../../../../lib/pinyin/match.ts';
import { matchCommand, parseQuery } from './search.ts';

const ids = Object.keys(names) as CommandId[];

const find = (query: string) =>
  ids
    .map((id, order) => ({ id, order, match: matchCommand(id, parseQuery(query), 'zh') }))
    .filter((row) => row.match)
    .sort((a, b) => (a.match?.band ?? 9) - (b.match?.band ?? 9) || a.order - b.order)
    .map((row) => row.id);

test('a command is first when searched by its id', () => {
  for (const id of ids) expect(find(id)[0]).toBe(id);
});

test('every reading of a character counts: 重置 by chongzhi, zhongzhi and cz', () => {
  expect(matchPinyin('重复', 'chongfu')).toEqual([0, 1]);
  expect(matchPinyin('重复', 'zhongfu')).toEqual([0, 1]);
  expect(matchPinyin('重复', 'cf')).toEqual([0, 1]);
  expect(matchPinyin('新增新闻', 'xinz')).toEqual([0, 1]);
  expect(matchPinyin('新增新闻', 'xwx')).toBeNull();
  expect(matchPinyin('前往首页', 'qiwang')).toBeNull();
  expect(matchPinyin('前往首页', 'qi')).toEqual([0]);
  expect(matchPinyin('提取（withdraw）', 'thdr')).toBeNull();
  for (const title of ['连接evm钱包', '连接 evm 钱包']) {
    expect(matchPinyin(title, 'ljevmqb')).toHaveLength(7);
    expect(matchPinyin(title, 'ljqb')).toHaveLength(4);
    expect(matchPinyin(title, 'lqb')).toBeNull();
  }
});

test('matching letters are marked in the displayed language’s title', () => {
  expect(matchCommand('news.add', parseQuery('xw'), 'zh')?.marks).toEqual([2, 3]);
  expect(matchCommand('news.add', parseQuery('xw'), 'en')?.marks).toEqual([]);
  expect(matchCommand('news.add', parseQuery('news'), 'en')?.marks).toEqual([4, 5, 6, 7]);
});

test('the space between Chinese and Latin may be omitted and does not move the marks', () => {
  for (const query of ['连接EVM钱包', '连接 evm 钱包', '前往CRSM仓位列表', '前往 CRSM 仓位列表']) {
    const [first] = find(query);
    expect(first).toBe(query.includes('前往') ? 'go.CRSMList' : 'evm.connect');
  }
  expect(matchCommand('evm.connect', parseQuery('evm钱'), 'zh')?.marks).toEqual([3, 4, 5, 7]);
  expect(matchCommand('evm.connect', parseQuery('ljqb'), 'zh')?.marks).toEqual([0, 1, 7, 8]);
  expect(matchCommand('evm.connect', parseQuery('evm wal'), 'en')?.marks).toEqual([8, 9, 10, 11, 12, 13, 14]);
});

test('a title that begins with the query ranks above one that contains it', () => {
  expect(find('新增')[0]).toBe('news.add');
  expect(find('delete')[0]).toBe('news.delete');
  expect(find('qqqq')).toEqual([]);
});

test('the pinyin table has exactly the characters of the names', () => {
  expect(() => execFileSync('node', ['scripts/pinyin.mjs', '--check'])).not.toThrow();
});
