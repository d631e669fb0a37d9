import { describe, expect, test } from 'vitest';
import { inTier } from '../../../../../scripts/suite/tier.ts';
import { allNames } from '../../../../../api/all-names.ts';
import { goCommandId } from '../../../../../api/go-command-ids.ts';
import { menu, type MenuNode, type ScreenPath } from '../../../../../api/menu.ts';
import {
  readAliases,
  firstRows,
  isException,
  isFound,
  findOffered,
  createQueries,
  outdatedExceptions,
  findStrayCommands,
} from '../../../../testing/palette-queries.ts';
import { chineseWords, englishWords, commandByWord } from '../../../../testing/palette-words.ts';
import { readings } from '../../../../lib/pinyin/readings.ts';
import { registry } from '../../../app/all.ts';
import { matchCommand, parseQuery } from './search.ts';

const ids = registry.all.map(({ id }) => id);

describe('a command', () => {
  test.each(ids)('%s has at least three other words in each language', (id) => {
    expect(readAliases(id, 'zh').length).toBeGreaterThanOrEqual(3);
    expect(readAliases(id, 'en').length).toBeGreaterThanOrEqual(3);
  });

  test.each(ids)('%s is found by title, synonym and synonym with object, as written, in pinyin and by initials', (id) => {
    const missedQueries = createQueries(id).filter((query) => !isFound(query) && !isException(query));
    expect(missedQueries.map(({ kind, form, text }) => `${kind}, ${form}: ${text}`)).toEqual([]);
  });

  test.each(ids)('%s is found by its title from every screen', (id) => {
    const titles = createQueries(id).filter(({ kind }) => kind === 'title');
    const missedQueries = titles.filter(({ text, language }) => !findOffered(text, language).slice(0, firstRows).includes(id));
    expect(missedQueries.map(({ text }) => text)).toEqual([]);
  });

  test.each(ids.filter((_, index) => index % inTier(3, 1) === 0))('%s stays found while such a query is being typed', (id) => {
    const prefixes = createQueries(id).flatMap(({ text }) => Array.from(text, (_, index) => text.slice(0, index + 1)));
    expect(prefixes.filter((text) => !matchCommand(id, parseQuery(text), 'zh'))).toEqual([]);
  });
});

test('every exception to the search rules is needed', () => {
  expect(outdatedExceptions()).toEqual([]);
});

test.each([...commandByWord])('%s alone leads to %s', (word, homePath) => {
  expect(findOffered(word, /\p{Script=Han}/u.test(word) ? 'zh' : 'en').slice(0, firstRows)).toContain(homePath);
});

test('a query with a command and its object finds little else', () => {
  const exactQueries = ids.flatMap(createQueries).filter(({ kind, form }) => kind !== 'synonym' && form === 'plain');
  const strayCount = exactQueries.reduce((total, query) => total + findStrayCommands(query).length, 0);
  expect(strayCount / exactQueries.length).toBeLessThan(0.3);
});

describe('colleagues’ words lead to the intended command', () => {
  const groups = [
    ...chineseWords.map(([groupWords, expectedTarget]) => ({
      words: groupWords.split('、'),
      to: expectedTarget,
      language: 'zh' as const,
    })),
    ...englishWords.map(([groupWords, expectedTarget]) => ({
      words: groupWords.split(', '),
      to: expectedTarget,
      language: 'en' as const,
    })),
  ];
  const typedWords = groups.flatMap(({ words: groupWords, to: expectedTarget, language }) =>
    groupWords.map((word) => ({ word, to: expectedTarget, language })),
  );
  test.each(typedWords)('$word', ({ word, to: expectedTarget, language }) => {
    const offeredIds = findOffered(word, language);
    expect(expectedTarget).toContain(offeredIds[0]);
    expect(offeredIds.slice(0, Math.max(firstRows, expectedTarget.length))).toEqual(expect.arrayContaining([...expectedTarget]));
  });
});

describe('the name of a menu group', () => {
  const groups: readonly MenuNode[] = menu.filter((node: MenuNode) => node.children);
  test.each(groups)('$zh ($en) leads to its first screen, also while being typed', ({ zh, en, home }) => {
    const homeCommandId = goCommandId(home as ScreenPath);
    for (const query of [zh, en, en.toLowerCase()]) expect(findOffered(query, 'zh')[0], query).toBe(homeCommandId);
    expect(findOffered(en.slice(0, -1), 'en').slice(0, firstRows)).toContain(homeCommandId);
  });

  test('is found by its pinyin and its initials', () => {
    for (const query of ['quanxianguanli', 'qxgl']) expect(findOffered(query, 'zh')[0]).toBe('go.administrator');
    for (const query of ['shujutongji', 'sjtj']) expect(findOffered(query, 'zh')[0]).toBe('go.dataView');
  });
});

test('other readings of a character count in aliases: 重新加载 by chongxinjiazai and zhongxinjiazai', () => {
  for (const query of ['chongxinjiazai', 'zhongxinjiazai', 'cxjz', 'zxjz'])
    expect(findOffered(query, 'zh').slice(0, firstRows), query).toContain('panel.reload');
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
    expect(findOffered(query, 'zh')[0], query).toBe('news.hide');
  for (const query of ['切换到英文', '切换成英文', 'switch to english', 'switch the language to english'])
    expect(findOffered(query, 'en')[0], query).toBe('language.switch');
});

test('a title is found while an input method still spells its end', () => {
  const { zh } = allNames['news.delete'];
  const [start, end] = [zh.slice(0, -1), zh.slice(-1)];
  const [reading = ''] = readings.get(end) ?? [];
  for (const letters of Array.from(reading, (_, index) => reading.slice(0, index + 1)))
    expect(matchCommand('news.delete', parseQuery(`${start}${letters}`), 'zh'), letters).toMatchObject({ isCalledSo: true });
});

test('scattered letters find a name only if nothing else fits', () => {
  expect(findOffered('dnws', 'en')).toContain('news.delete');
  expect(findOffered('delte', 'en')).toContain('news.delete');
  expect(findOffered('mint', 'en')).not.toContain('administrators.edit');
});

test('an alias of several screens’ commands finds the current screen’s first', () => {
  expect(findOffered('下架', 'zh', '/news')[0]).toBe('news.hide');
  expect(findOffered('下架', 'zh', '/notices')[0]).toBe('notices.hide');
  expect(findOffered('export spreadsheet', 'en', '/points')[0]).toBe('points.export');
  expect(findOffered('下载报表', 'zh', '/audit')[0]).toBe('audit.export');
});

test('a title ranks above an alias, and an alias above a combined query', () => {
  const { 'history.undo': undo, 'panel.reload': reload } = allNames;
  for (const title of [undo.zh, undo.en]) expect(findOffered(title, 'zh')[0]).toBe('history.undo');
  for (const title of [reload.zh, reload.en]) expect(findOffered(title, 'zh')[0]).toBe('panel.reload');
  expect(['news.bin', 'notices.bin', 'feedback.bin']).toContain(findOffered('回收站', 'zh')[0]);
  expect(findOffered('下架新闻', 'zh')).toEqual(['news.hide']);
});
