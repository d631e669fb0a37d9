import { expect, test } from 'vitest';
import { requestedLocale, resolveDictionaryLocale, textDirection } from './locale.ts';

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
])('locale %s uses the texts of %s and the direction %s', (requestedTag, dictionaryLocale, direction) => {
  expect([resolveDictionaryLocale(requestedTag), textDirection(requestedTag)]).toEqual([dictionaryLocale, direction]);
});

test.each([
  ['en-US', ['zh-CN'], 'en-US'],
  [null, ['he-IL', 'en-US'], 'he-IL'],
  ['', ['en-GB'], 'en-GB'], // unreadable, so ignored
  [null, [], 'zh-CN'],
])('saved locale %o with browser locales %o resolves to %s', (savedLocale, browser, requestedTag) => {
  expect(requestedLocale(savedLocale ?? undefined, browser)).toBe(requestedTag);
});
