import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUnits } from '../../../api/money.ts';
import { amountParts, amountText, percentText } from './amount-text.ts';

fc.configureGlobal({ seed: 20_260_101 });

const base = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const places = fc.constantFrom(0, 8, 16, 18);

describe('amounts', () => {
  it('show every digit: the parts put together are the base units', () => {
    fc.assert(
      fc.property(base, places, (value, to) => {
        const { sign, whole, kept, zeros } = amountParts(value, to, 'en-US');
        const digits = BigInt(whole.replaceAll(',', '') + kept + zeros);
        expect(sign === '' ? digits : -digits).toBe(value);
        expect(kept.length + zeros.length).toBe(to);
      }),
    );
  });

  it('are never in scientific notation and dim only trailing zeros', () => {
    fc.assert(
      fc.property(base, places, (value, to) => {
        const { kept, zeros } = amountParts(value, to, 'zh-CN');
        expect(zeros).toMatch(/^0*$/);
        expect(kept).not.toMatch(/0$/);
      }),
    );
  });

  it('in one line are what the clipboard is given, but for the groups and the minus', () => {
    fc.assert(
      fc.property(base, places, (value, to) => {
        expect(amountText(value, to, 'en-US').replaceAll(',', '').replace('−', '-')).toBe(formatUnits(value, to));
      }),
    );
  });

  it('group the whole part and keep eight decimals of a bitcoin', () => {
    expect(amountParts(123_456_000_000n, 8, 'en-US')).toEqual({ sign: '', whole: '1,234', kept: '56', zeros: '000000' });
    expect(amountParts(-1n, 8, 'en-US')).toEqual({ sign: '−', whole: '0', kept: '00000001', zeros: '' });
    expect(amountParts(9_007_199_254_740_993n * 10n ** 18n, 18, 'en-US').whole).toBe('9,007,199,254,740,993');
  });
});

it('a ratio has two decimals, cut and never rounded', () => {
  expect(percentText(10n ** 18n, 'en-US')).toBe('100.00 %');
  expect(percentText(1_999_999_999_999_999_999n, 'en-US')).toBe('199.99 %');
  expect(percentText(-(10n ** 19n), 'en-US')).toBe('−1,000.00 %');
  expect(percentText(1n, 'en-US')).toBe('0.00 %');
});
