import { expect, test } from 'vitest';
import { isLookAlike } from './look-alikes.ts';
import { isVisibleName, isVisibleText } from './visible-text.ts';

test.each([
  ['Alpha Bank', 'Αlpha Bank', 'a Greek capital'],
  ['Alpha Bank', 'Alphа Bank', 'a Cyrillic letter'],
  ['Alpha Bank', 'ALPHA BANK', 'another case'],
  ['Alpha Bank', 'Alpha-Bank', 'another sign between'],
  ['Alpha Bank', 'Ａｌｐｈａ Ｂａｎｋ', 'wide letters'],
  ['Alpha Bank', 'Álpha Bank', 'a mark above'],
  ['Alpha Bank', 'AIpha Bank', 'a capital I for an l'],
  ['O2 Trust', '02 Trust', 'a digit for a letter'],
  ['Morgan', 'Mоrgаn', 'two Cyrillic letters'],
  ['modern', 'rnodern', 'two letters for one'],
  ['custody', 'сustоdу', 'an alphabet mixed in'],
  ['未来信托', '末来信托', 'a Chinese letter of almost the same strokes'],
  ['admin1@demo.local', 'adminl@demo.local', 'a letter for a digit'],
])('%s and %s look alike: %s', (a, b) => {
  expect(isLookAlike(a, b)).toBe(true);
  expect(isLookAlike(b, a)).toBe(true);
});

test.each([
  ['Alpha Bank', 'Alpha Bank'],
  ['Alpha Bank', 'Beta Bank'],
  ['机构甲 Alpha', '机构乙 Beta'],
  ['all@demo.local', 'ali@demo.local'],
  ['operator@demo.local', 'approver@demo.local'],
  ['colleague1@example.com', 'colleague10@example.com'],
  ['john.smith@example.com', 'johnsmith@example.com'],
])('%s and %s do not', (a, b) => {
  expect(isLookAlike(a, b)).toBe(false);
});

test('refuses names with invisible or direction-changing characters', () => {
  for (const name of [
    'Ann\u200b',
    'Ann\u202eevE',
    'A\u00adnn',
    'Ann\u00a0B',
    ' Ann',
    'Ann  B',
    'Ann\n',
    'A\u0301nn',
    '\u3164',
    '\u2800',
    'Ann\ufe0f',
  ])
    expect(isVisibleName(name), JSON.stringify(name)).toBe(false);
  for (const name of ['Ann', 'Ann Bell', 'Ánn', '机构甲 Alpha', 'O’Neil & Söhne (HK)'])
    expect(isVisibleName(name), name).toBe(true);
});

test('accepts line breaks and emoji in a reason, and refuses invisible characters', () => {
  expect(isVisibleText('a\nb ❤️')).toBe(true);
  for (const text of ['a\u202eb', 'a\u200bb', 'a\tb', 'a\rb']) expect(isVisibleText(text), JSON.stringify(text)).toBe(false);
});
