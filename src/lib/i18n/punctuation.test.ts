import { expect, test } from 'vitest';
import { setDictionary } from './i18n.ts';
import { namedWithUnit } from './punctuation.ts';

test('a name is followed by its unit in the brackets of the language unless it contains the unit', () => {
  setDictionary('zh-CN', {});
  expect(namedWithUnit('清算价格', 'YU')).toBe('清算价格（YU）');
  expect(namedWithUnit('金库 BTC', 'YBTC')).toBe('金库 BTC（YBTC）');
  setDictionary('en-US', {});
  expect(namedWithUnit('Liquidation price', 'YU')).toBe('Liquidation price (YU)');
  expect(
    ['BTC deposited', 'TRGCR(%)', 'Users'].map((name, index) => namedWithUnit(name, ['BTC', '%', undefined][index])),
  ).toEqual(['BTC deposited', 'TRGCR(%)', 'Users']);
});
