import { expect, test } from 'vitest';
import { placeName } from './place-name.ts';

test('names Hong Kong, Macao and Taiwan as regions of China in both languages', () => {
  expect(['HK', 'MO', 'TW'].map((code) => placeName(code, 'zh-CN'))).toEqual(['中国香港', '中国澳门', '中国台湾']);
  expect(['HK', 'MO', 'TW'].map((code) => placeName(code, 'en-US'))).toEqual([
    'Hong Kong (China)',
    'Macao (China)',
    'Taiwan (China)',
  ]);
});

test('takes all other names from Intl, and keeps a code that has none', () => {
  expect([placeName('DE', 'zh-CN'), placeName('DE', 'en-US')]).toEqual(['德国', 'Germany']);
  expect(['ZZZ', 'XQ', ''].map((code) => placeName(code, 'en-US'))).toEqual(['ZZZ', 'XQ', '']);
});
