import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tApart } from './apart.ts';
import { setDictionary } from './i18n.ts';
import { form } from './zh-CN/frame/form.ts';

const han = String.raw`\p{Script=Han}`;
const number = '(?:count|n|most|days|hours|minutes|seconds|rows|pictures|megabytes)';

/** What no Chinese text of ours holds, by what is wrong with it. */
const faults: Readonly<Record<string, RegExp>> = {
  'half-width punctuation beside a Chinese character': new RegExp(`${han}[,;:!?()]|[,;:!?(]${han}|${han}\\.(?![\\w.])`, 'u'),
  'no space between a Chinese character and a Latin letter or a digit': new RegExp(`${han}[a-z\\d]|[a-z\\d%]${han}`, 'iu'),
  'no space between a Chinese character and a number': new RegExp(
    `${han}(?:\\$\\{|\\{\\{)${number}\\}|[{]${number}\\}\\}?${han}`,
    'u',
  ),
  'a space between Chinese characters': new RegExp(`${han} ${han}`, 'u'),
  '你 instead of 您': /你/,
  'a second factor that is not called 双重验证': /第二因素|二次验证|两步验证|双因素/,
  'points that are taken back and not 冲销': /冲正/,
};

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => join(folder, file));

/** The lines of a source that hold Chinese, without comments and regular expressions. */
const linesOf = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/gm, '')
    .split('\n')
    .filter((line) => /\p{Script=Han}/u.test(line));

const faultsOf = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => Object.keys(faults).flatMap((name) => (faults[name]?.test(line) ? [`${name}: ${line.trim()}`] : [])));

test('Chinese is written as it is printed: full-width punctuation, room around Latin letters, 您', () => {
  const lines = [...filesIn('src/lib/i18n/zh-CN'), ...filesIn('api')].flatMap(linesOf);
  expect(lines.length).toBeGreaterThan(1500);
  expect(faultsOf(lines)).toEqual([]);
});

test('each fault is seen', () => {
  const wrong = [
    '删除,恢复',
    '共(三)条',
    '连接EVM 钱包',
    '第3 页',
    '共${count}条',
    '共{{n}} 条',
    '请 输入',
    '你好',
    '第二因素',
    '冲正积分',
  ];
  for (const text of wrong) expect(faultsOf([text]), text).toHaveLength(1);
  expect(faultsOf(['删除，恢复', '（共 ${count} 条）', '连接 EVM 钱包', '已删除{{of}}', '100 %', '您好', '是 a.b'])).toEqual([]);
});

test('a word that a text is put around stands apart from it where it is Latin', () => {
  setDictionary('zh-CN', { form });
  expect(tApart('form.rule.required', 'label', 'NFT 数量')).toBe('请输入 NFT 数量');
  expect(tApart('form.rule.required', 'label', '标题')).toBe('请输入标题');
  expect(tApart('form.rule.tooLong', 'label', 'TRGCR(%)')).toBe('TRGCR(%) 过长');
});
