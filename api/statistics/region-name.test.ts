import { expect, test } from 'vitest';
import { formatRegionName } from './region-name.ts';

test('names Hong Kong, Macao and Taiwan as regions of China in both languages', () => {
  expect(['HK', 'MO', 'TW'].map((code) => formatRegionName(code, 'zh-CN'))).toEqual(['中国香港', '中国澳门', '中国台湾']);
  expect(['HK', 'MO', 'TW'].map((code) => formatRegionName(code, 'en-US'))).toEqual([
    'Hong Kong (China)',
    'Macao (China)',
    'Taiwan (China)',
  ]);
});

test('takes all other names from Intl, and keeps a code that has none', () => {
  expect([formatRegionName('DE', 'zh-CN'), formatRegionName('DE', 'en-US')]).toEqual(['德国', 'Germany']);
  expect(['ZZZ', 'XQ', ''].map((code) => formatRegionName(code, 'en-US'))).toEqual(['ZZZ', 'XQ', '']);
});
