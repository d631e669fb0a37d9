import { expect, test } from 'vitest';
import { isOptionInQuery } from './option-match.ts';

const [light, dark] = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];
const [zhLight, zhDark] = [
  { value: 'light', label: '浅色' },
  { value: 'dark', label: '深色' },
];

test.each(['dark', 'Dark', 'dar', 'dark theme', 'theme dark'])('“%s” names the dark theme in English', (query) => {
  expect([isOptionInQuery(light, query), isOptionInQuery(dark, query)]).toEqual([false, true]);
});

test.each(['深色', '深', '深色模式', 'shense', 'shen', 'dark', '切换 深色'])('“%s” names the dark theme in Chinese', (query) => {
  expect([isOptionInQuery(zhLight, query), isOptionInQuery(zhDark, query)]).toEqual([false, true]);
});

test.each(['theme', '主题', 'd', ''])('“%s” names no theme', (query) => {
  expect([light, dark, zhLight, zhDark].filter((option) => isOptionInQuery(option, query))).toEqual([]);
});
