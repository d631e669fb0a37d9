import { expect, test } from 'vitest';
import { formatBtc } from '../../../../api/money.ts';
import { authorityRefusal } from './refusals.ts';

test.each([
  [0n, '0'],
  [1n, '0.00000001'],
  [50_000_000n, '0.5'],
  [123_450_000_000n, '1,234.5'],
  [2_100_000_000_000_000n, '21,000,000'],
])('%i satoshi of a daily limit are shown as %s BTC', (satoshi, shownBtc) => {
  const { values } = authorityRefusal({ reason: 'DAY_LIMIT', limit: [formatBtc(satoshi)], used: ['0.00000000'] });
  expect(values).toEqual({ limit: shownBtc, used: '0' });
});

test('figures of a refusal that are not amounts are shown unchanged', () => {
  const { values } = authorityRefusal({ reason: 'ROLE', role: ['1.5'], missing: ['2'], said: ['0.123456789'] });
  expect(values).toEqual({ role: '1.5', missing: '2', said: '0.123456789' });
});
