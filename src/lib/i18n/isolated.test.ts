import { beforeAll, expect, test } from 'vitest';
import { enPanel } from './en-US/index.ts';
import { enResources } from './en-US/resources.ts';
import { setDictionary, t } from './i18n.ts';

beforeAll(() => setDictionary('en-US', { ...enPanel, ...enResources }));

const createSentence = (name: string) => t('imports.running', { name, percent: 40 });

test.each([
  ['Hebrew', 'שלום.csv'],
  ['Arabic', 'تقرير 2026.csv'],
  ['Adlam', '\u{1E900}\u{1E901}.csv'],
  ['an override', 'season\u202Evsc.exe'],
  ['an embedding', '\u202Bseason.csv'],
])('a name in %s is isolated from the sentence around it', (_, name) => {
  expect(createSentence(name)).toBe(`Importing \u2068${name}\u2069: 40%`);
});

test.each([
  ['closes an isolate that it did not open', '\u2069\u202Eevil', '\u202Eevil'],
  ['leaves an isolate open', 'a\u2067b', 'a\u2067b\u2069'],
  ['closes one too many', 'a\u2067b\u2069\u2069\u202Ec', 'a\u2067b\u2069\u202Ec'],
])('a name that %s does not change the direction of the sentence', (_, name, expectedName) => {
  expect(createSentence(name)).toBe(`Importing \u2068${expectedName}\u2069: 40%`);
});

test.each(['season.csv', '赛季.csv', 'José 😀 👨\u200D👩\u200D👧.csv'])('the plain name %s is unchanged', (name) => {
  expect(createSentence(name)).toBe(`Importing ${name}: 40%`);
});
