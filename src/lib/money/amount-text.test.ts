import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatUnits } from '../../../api/money.ts';
import { amountParts, amountText, abbreviatedParts, percentText, roundedText, roundUnits, type Rounding } from './amount-text.ts';

fc.configureGlobal({ seed: 20_260_101 });

const baseUnits = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const decimalPlaces = fc.constantFrom(0, 8, 16, 18);

describe('an amount', () => {
  it('shows every digit, so that its parts equal the base units', () => {
    fc.assert(
      fc.property(baseUnits, decimalPlaces, (value, rounding) => {
        const { sign, whole, kept, zeros } = amountParts(value, rounding);
        const digits = BigInt(whole.replaceAll(',', '') + kept + zeros);
        expect(sign === '' ? digits : -digits).toBe(value);
        expect(kept.length + zeros.length).toBe(rounding);
      }),
    );
  });

  it('is never in scientific notation and dims only trailing zeros', () => {
    fc.assert(
      fc.property(baseUnits, decimalPlaces, (value, rounding) => {
        const { kept, zeros } = amountParts(value, rounding);
        expect(zeros).toMatch(/^0*$/);
        expect(kept).not.toMatch(/0$/);
      }),
    );
  });

  it("in one line equals the clipboard's text, apart from groups and the minus", () => {
    fc.assert(
      fc.property(baseUnits, decimalPlaces, (value, rounding) => {
        expect(amountText(value, rounding).replaceAll(',', '').replace('−', '-')).toBe(formatUnits(value, rounding));
      }),
    );
  });

  it('groups the whole part and keeps eight decimals of a bitcoin', () => {
    expect(amountParts(123_456_000_000n, 8)).toEqual({ sign: '', whole: '1,234', kept: '56', zeros: '000000' });
    expect(amountParts(-1n, 8)).toEqual({ sign: '−', whole: '0', kept: '00000001', zeros: '' });
    expect(amountParts(9_007_199_254_740_993n * 10n ** 18n, 18).whole).toBe('9,007,199,254,740,993');
  });
});

it('a ratio has two decimals, rounded down or up as requested', () => {
  expect(percentText(10n ** 18n, 'down')).toBe('100.00%');
  expect(percentText(1_999_999_999_999_999_999n, 'down')).toBe('199.99%');
  expect(percentText(1_999_999_999_999_999_999n, 'up')).toBe('200.00%');
  expect(percentText(-(10n ** 19n), 'down')).toBe('−1,000.00%');
  expect(percentText(1n, 'down')).toBe('0.00%');
});

const roundings = fc.constantFrom<Rounding>('down', 'up');

describe('a rounded amount', () => {
  it('differs by less than one in the last decimal, in the requested direction, also if negative', () => {
    fc.assert(
      fc.property(baseUnits, fc.nat(18), roundings, (value, shownDecimals, rounding) => {
        const step = 10n ** BigInt(18 - shownDecimals);
        const roundingError = roundUnits(value, 18, shownDecimals, rounding) * step - value;
        expect(
          rounding === 'up' ? roundingError >= 0n && roundingError < step : roundingError <= 0n && roundingError > -step,
        ).toBe(true);
      }),
    );
  });

  it.each([
    ['down', '214,837.49', '2,148.37', '−1.24'],
    ['up', '214,837.5', '2,148.38', '−1.23'],
  ] as const)('is within the requested bound when rounded %s', (rounding, largeText, exactText, negativeText) => {
    expect(roundedText(214_837_499_666_666_666_666_666n, 18, 2, rounding)).toBe(largeText);
    expect(roundedText(214_837_499_666n, 8, 2, rounding)).toBe(exactText);
    expect(roundedText(-1_234n, 3, 2, rounding)).toBe(negativeText);
  });
});

describe('a figure on a card', () => {
  const abbreviate = (wholeUnits: bigint, rounding: Rounding, language: string) => {
    const { sign, whole: digits, kept, zeros, scale } = abbreviatedParts(wholeUnits * 10n ** 18n + 1n, 18, 2, rounding, language);
    return `${sign}${digits}.${kept}${zeros}${scale}`;
  };

  it.each([
    [9_999n, 'down', '9,999.00', '9,999.00'],
    [227_686n, 'down', '227.68K', '22.76万'],
    [227_686n, 'up', '227.69K', '22.77万'],
    [999_999_999n, 'down', '999.99M', '9.99亿'],
    [999_999_999n, 'up', '1.00B', '10.00亿'],
    [12_345_678_901_234n, 'down', '12.34T', '12.34万亿'],
    [-227_686n, 'down', '−227.69K', '−22.77万'],
  ] as const)('shows %s rounded %s as %s and %s', (wholeUnits, rounding, expectedEnglish, expectedChinese) => {
    expect(abbreviate(wholeUnits, rounding, 'en-US')).toBe(expectedEnglish);
    expect(abbreviate(wholeUnits, rounding, 'zh-CN')).toBe(expectedChinese);
  });
});
