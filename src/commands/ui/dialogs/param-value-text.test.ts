import { beforeAll, expect, test } from 'vitest';
import { enPanel } from '../../../lib/i18n/en-US/index.ts';
import { setDictionary } from '../../../lib/i18n/i18n.ts';
import type { ParamField } from '../../engine/fields.ts';
import { paramValueText } from './param-value-text.ts';

beforeAll(() => setDictionary('en-US', enPanel));

test('a permission tree is named by its count, because its values are IDs', () => {
  const field = { as: 'tree', label: 'form.treeSearch' } as unknown as ParamField;
  expect(paramValueText(field, ['01a21e70-c146-7610-8794-03aef57a64c9'])).toBe('1 permission');
  expect(paramValueText(field, ['a', 'b'])).toBe('2 permissions');
});

test('amount bands are named by their ranges', () => {
  const field = { as: 'bands', label: 'form.treeSearch' } as unknown as ParamField;
  expect(paramValueText(field, '0 | 1 | 1 |  | 10 | 1800\n1 |  | 2 |  | 50 | 0')).toBe('0 – 1 BTC, ≥ 1 BTC');
  expect(paramValueText(field, '')).toBe('—');
});
