import { expect, test } from 'vitest';
import { requestedLocale, dictionaryFor, directionOf } from './locale.ts';

test.each([
  ['zh-CN', 'zh-CN', 'ltr'],
  ['zh-TW', 'zh-CN', 'ltr'],
  ['fr-FR', 'zh-CN', 'ltr'],
  ['en-US', 'en-US', 'ltr'],
  ['en-GB', 'en-US', 'ltr'],
  ['EN', 'en-US', 'ltr'],
  ['enm', 'zh-CN', 'ltr'], // not English
  ['he-IL', 'zh-CN', 'rtl'],
  ['ar-EG', 'zh-CN', 'rtl'],
  ['fa-IR', 'zh-CN', 'rtl'],
  ['ku', 'zh-CN', 'rtl'],
])('locale %s uses the texts of %s and the direction %s', (requested, words, direction) => {
  expect([dictionaryFor(requested), directionOf(requested)]).toEqual([words, direction]);
});

test.each([
  ['en-US', ['zh-CN'], 'en-US'],
  [null, ['he-IL', 'en-US'], 'he-IL'],
  ['', ['en-GB'], 'en-GB'], // unreadable, so ignored
  [null, [], 'zh-CN'],
])('saved locale %o with browser locales %o resolves to %s', (saved, browser, requested) => {
  expect(requestedLocale(saved ?? undefined, browser)).toBe(requested);
});
