import { expect, test } from 'vitest';
import { assertNamesAvailable } from './name-conflicts.ts';
import { replaceSampleNames, spellNames, type ResourceNames } from './words.ts';

const alertNames = { name: 'price-alerts', zh: '价格提醒', en: 'Price alerts' };

test('spells a name for folders, identifiers, tables and texts', () => {
  const spelledNames = spellNames(alertNames);
  expect(spelledNames).toEqual({
    folder: 'price-alerts',
    key: 'priceAlerts',
    type: 'PriceAlerts',
    oneKey: 'priceAlert',
    oneType: 'PriceAlert',
    table: 'price_alerts',
    zh: '价格提醒',
    en: 'Price alerts',
    oneEn: 'Price alert',
  });
  expect(spellNames({ ...alertNames, name: 'priceAlerts' })).toEqual(spelledNames);
  expect(spellNames({ name: 'entries', zh: '条目', en: 'Entries' })).toMatchObject({ oneKey: 'entry', oneEn: 'Entry' });
  expect(spellNames({ name: 'boxes', zh: '盒', en: 'Boxes', one: 'Crate' })).toMatchObject({ oneKey: 'box', oneEn: 'Crate' });
});

test('replaces the template’s name by the new one', () => {
  const text = `sampleItems sample-items SampleItemRow 'sample_items' Sample items, a sample item: 示例`;
  expect(replaceSampleNames(spellNames(alertNames), text)).toBe(
    `priceAlerts price-alerts PriceAlertRow 'price_alerts' Price alerts, a price alert: 价格提醒`,
  );
});

test.each<[Partial<ResourceNames>, string]>([
  [{ name: '../etc' }, 'isn’t a valid name'],
  [{ name: 'price alerts' }, 'isn’t a valid name'],
  [{ name: "x'; drop" }, 'isn’t a valid name'],
  [{ name: 'Banners' }, 'isn’t a valid name'],
  [{ name: 'sheep' }, 'no singular'],
  [{ zh: `'` }, '--zh'],
  [{ en: 'price alerts' }, '--en'],
  [{ en: 'Sheep' }, '--one'],
])('refuses the name %o', (invalidNames, expectedProblem) => {
  expect(() => spellNames({ ...alertNames, ...invalidNames })).toThrow(expectedProblem);
});

test.each([
  ['news-items', "'news_items',", undefined, 'a table news_items'],
  ['notices', '', undefined, 'the contract'],
  ['keys', '', undefined, 'the dictionaries already have this key'],
  ['institutions', '', undefined, 'the audit calls'],
  ['price-alerts', '', 'g n', 'g n belongs to go.news'],
  ['price-alerts', '', 'q', '--key must be g and a letter'],
])('refuses %s with tables %o and keys %o, which are in use', (name, tables, key, expectedProblem) => {
  expect(() => assertNamesAvailable(spellNames({ ...alertNames, name }), tables, key)).toThrow(expectedProblem);
});

test('accepts a free name', () => {
  expect(() => assertNamesAvailable(spellNames(alertNames), '', 'g j')).not.toThrow();
});
