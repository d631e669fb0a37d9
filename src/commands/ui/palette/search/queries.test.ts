import { describe, expect, test } from 'vitest';
import { inTier } from '../../../../../scripts/suite/tier.ts';
import { allNames } from '../../../../../api/all-names.ts';
import { goCommandId } from '../../../../../api/go-commands.ts';
import { menu, type MenuNode, type ScreenPath } from '../../../../../api/menu.ts';
import {
  aliasesOf,
  firstRows,
  isException,
  isFound,
  offeredFor,
  queriesOf,
  staleExceptions,
  strayFor,
} from '../../../../testing/palette-queries.ts';
import { chineseWords, englishWords, homeOf } from '../../../../testing/palette-words.ts';
import { readings } from '../../../../lib/pinyin/readings.ts';
import { registry } from '../../../app/all.ts';
import { matchCommand, parseQuery } from './search.ts';

const ids = registry.all.map(({ id }) => id);

describe('a command', () => {
  test.each(ids)('%s has at least three other words in each language', (id) => {
    expect(aliasesOf(id, 'zh').length).toBeGreaterThanOrEqual(3);
    expect(aliasesOf(id, 'en').length).toBeGreaterThanOrEqual(3);
  });

  test.each(ids)('%s is found by title, synonym and synonym with object, as written, in pinyin and by initials', (id) => {
    const missed = queriesOf(id).filter((query) => !isFound(query) && !isException(query));
    expect(missed.map(({ kind, form, text }) => `${kind}, ${form}: ${text}`)).toEqual([]);
  });

  test.each(ids)('%s is found by its title from every screen', (id) => {
    const titles = queriesOf(id).filter(({ kind }) => kind === 'title');
    const missed = titles.filter(({ text, language }) => !offeredFor(text, language).slice(0, firstRows).includes(id));
    expect(missed.map(({ text }) => text)).toEqual([]);
  });

  test.each(ids.filter((_, at) => at % inTier(3, 1) === 0))('%s stays found while such a query is being typed', (id) => {
    const beginnings = queriesOf(id).flatMap(({ text }) => Array.from(text, (_, at) => text.slice(0, at + 1)));
    expect(beginnings.filter((text) => !matchCommand(id, parseQuery(text), 'zh'))).toEqual([]);
  });
});

test('every exception to the search rules is needed', () => {
  expect(staleExceptions()).toEqual([]);
});

test.each([...homeOf])('%s alone leads to %s', (word, home) => {
  expect(offeredFor(word, /\p{Script=Han}/u.test(word) ? 'zh' : 'en').slice(0, firstRows)).toContain(home);
});

test('a query with a command and its object finds little else', () => {
  const exact = ids.flatMap(queriesOf).filter(({ kind, form }) => kind !== 'synonym' && form === 'plain');
  const strays = exact.reduce((sum, query) => sum + strayFor(query).length, 0);
  expect(strays / exact.length).toBeLessThan(0.3);
});

describe('colleagues’ words lead to the intended command', () => {
  const groups = [
    ...chineseWords.map(([words, to]) => ({ words: words.split('、'), to, language: 'zh' as const })),
    ...englishWords.map(([words, to]) => ({ words: words.split(', '), to, language: 'en' as const })),
  ];
  const typed = groups.flatMap(({ words, to, language }) => words.map((word) => ({ word, to, language })));
  test.each(typed)('$word', ({ word, to, language }) => {
    const offered = offeredFor(word, language);
    expect(to).toContain(offered[0]);
    expect(offered.slice(0, Math.max(firstRows, to.length))).toEqual(expect.arrayContaining([...to]));
  });
});

describe('the name of a menu group', () => {
  const groups: readonly MenuNode[] = menu.filter((node: MenuNode) => node.children);
  test.each(groups)('$zh ($en) leads to its first screen, also while being typed', ({ zh, en, home }) => {
    const first = goCommandId(home as ScreenPath);
    for (const query of [zh, en, en.toLowerCase()]) expect(offeredFor(query, 'zh')[0], query).toBe(first);
    expect(offeredFor(en.slice(0, -1), 'en').slice(0, firstRows)).toContain(first);
  });

  test('is found by its pinyin and its initials', () => {
    for (const query of ['quanxianguanli', 'qxgl']) expect(offeredFor(query, 'zh')[0]).toBe('go.administrator');
    for (const query of ['shujutongji', 'sjtj']) expect(offeredFor(query, 'zh')[0]).toBe('go.dataView');
  });
});

test('other readings of a character count in aliases: 重新加载 by chongxinjiazai and zhongxinjiazai', () => {
  for (const query of ['chongxinjiazai', 'zhongxinjiazai', 'cxjz', 'zxjz'])
    expect(offeredFor(query, 'zh').slice(0, firstRows), query).toContain('panel.reload');
});

test('Chinese, pinyin, initials and English can be mixed in one query', () => {
  for (const query of [
    '下架news',
    '下架 news',
    'xiajia新闻',
    '下架xw',
    'xiajia xw',
    'hide新闻',
    'hide xinwen',
    '下架 的 新闻',
    'xia jia xin wen',
  ])
    expect(offeredFor(query, 'zh')[0], query).toBe('news.hide');
  for (const query of ['切换到英文', '切换成英文', 'switch to english', 'switch the language to english'])
    expect(offeredFor(query, 'en')[0], query).toBe('language.switch');
});

test('a title is found while an input method still spells its end', () => {
  const { zh } = allNames['news.delete'];
  const [start, end] = [zh.slice(0, -1), zh.slice(-1)];
  const [reading = ''] = readings.get(end) ?? [];
  for (const letters of Array.from(reading, (_, at) => reading.slice(0, at + 1)))
    expect(matchCommand('news.delete', parseQuery(`${start}${letters}`), 'zh'), letters).toMatchObject({ isCalledSo: true });
});

test('scattered letters find a name only if nothing else fits', () => {
  expect(offeredFor('dnws', 'en')).toContain('news.delete');
  expect(offeredFor('delte', 'en')).toContain('news.delete');
  expect(offeredFor('mint', 'en')).not.toContain('administrators.edit');
});

test('an alias of several screens’ commands finds the current screen’s first', () => {
  expect(offeredFor('下架', 'zh', '/news')[0]).toBe('news.hide');
  expect(offeredFor('下架', 'zh', '/notices')[0]).toBe('notices.hide');
  expect(offeredFor('export spreadsheet', 'en', '/points')[0]).toBe('points.export');
  expect(offeredFor('下载报表', 'zh', '/audit')[0]).toBe('audit.export');
});

test('a title ranks above an alias, and an alias above a combined query', () => {
  const { 'history.undo': undo, 'panel.reload': reload } = allNames;
  for (const title of [undo.zh, undo.en]) expect(offeredFor(title, 'zh')[0]).toBe('history.undo');
  for (const title of [reload.zh, reload.en]) expect(offeredFor(title, 'zh')[0]).toBe('panel.reload');
  expect(['news.bin', 'notices.bin', 'feedback.bin']).toContain(offeredFor('回收站', 'zh')[0]);
  expect(offeredFor('下架新闻', 'zh')).toEqual(['news.hide']);
});
