import fc from 'fast-check';
import { expect, test } from 'vitest';
import { satoshiSchema } from './money-fields.ts';
import {
  formatBtc,
  formatUnits,
  maxSatoshi,
  parseBtc,
  parseUnits,
  weiToSatoshi,
  toBaseUnits,
  weiPerToken,
  satoshiToWei,
  weiPerSatoshi,
} from './money.ts';

fc.configureGlobal({ seed: 20_260_101 });

const satoshiArbitrary = fc.bigInt({ min: 0n, max: maxSatoshi });

test('satoshi convert to bitcoin and wei and back without loss', () => {
  fc.assert(
    fc.property(satoshiArbitrary, (value) => {
      expect(parseBtc(formatBtc(value))).toBe(value);
      expect(weiToSatoshi(satoshiToWei(value))).toBe(value);
      expect(satoshiSchema().safeParse(value.toString()).success).toBe(value > 0n);
    }),
  );
});

test('refuses wei that are not a whole number of satoshi', () => {
  fc.assert(
    fc.property(satoshiArbitrary, fc.bigInt({ min: 1n, max: weiPerSatoshi - 1n }), (value, remainder) => {
      expect(weiToSatoshi(satoshiToWei(value) + remainder)).toBeNull();
    }),
  );
});

test.each([
  ['1', 100_000_000n],
  ['0.5', 50_000_000n],
  ['.00000001', 1n],
  ['1.', 100_000_000n],
  [' 2.10 ', 210_000_000n],
  ['21000000', maxSatoshi],
])('%s bitcoin are %s satoshi', (text, value) => expect(parseBtc(text)).toBe(value));

test.each(['', '.', '-1', '+1', '1e3', '0x1', '1,5', '0.000000001', '21000000.00000001', '1 000', '١', 'NaN', '1.2.3'])(
  '%s is no amount of bitcoin',
  (text) => expect(parseBtc(text)).toBeNull(),
);
test.each(['', '0', '01', '-1', '1.0', '1e3', '2100000000000001', ' 1'])('%s is no amount of satoshi', (text) =>
  expect(satoshiSchema().safeParse(text).success).toBe(false),
);

const weiArbitrary = fc.bigInt({ min: 0n, max: 10n ** 40n - 1n });
const decimalsArbitrary = fc.constantFrom(0, 8, 16, 18);

test('base units convert to decimals and back without loss', () => {
  fc.assert(
    fc.property(weiArbitrary, decimalsArbitrary, (value, decimalPlaces) => {
      const text = formatUnits(value, decimalPlaces);
      expect(parseUnits(text, decimalPlaces)).toBe(value);
      expect(text).toMatch(/^\d+(\.\d*[1-9])?$/);
      expect(formatUnits(-value, decimalPlaces)).toBe(value === 0n ? text : `-${text}`);
    }),
  );
});

test('parses different spellings of a number to the same value', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(9999), fc.nat(12), fc.nat(5), (integerPart, fraction, trailingZeros, leadingZeros) => {
      const digits = fraction.toString().padStart(4, '0');
      const value = BigInt(integerPart) * weiPerToken + BigInt(fraction) * 10n ** 14n;
      expect(parseUnits(` ${'0'.repeat(leadingZeros)}${integerPart}.${digits}${'0'.repeat(trailingZeros)} `, 18)).toBe(value);
    }),
  );
});

test('parses any text to its exact number or to null, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.,e+ -]{0,12}$/)), decimalsArbitrary, (text, decimalPlaces) => {
      const value = parseUnits(text, decimalPlaces);
      const [integerPart = '', fraction = ''] = text.trim().split('.');
      const isDecimal = /^(\d+\.?\d*|\.\d+)$/.test(text.trim()) && fraction.length <= decimalPlaces;
      expect(value === null).toBe(!isDecimal);
      if (value !== null) expect(value).toBe(BigInt(`${integerPart}${fraction.padEnd(decimalPlaces, '0')}` || '0'));
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['150', 1_500_000_000_000_000_000n],
  ['110.5', 1_105_000_000_000_000_000n],
  ['0.0000000000000001', 1n],
  ['.5', 5_000_000_000_000_000n],
  ['150.', 1_500_000_000_000_000_000n],
])('%s percent are p × 1e16', (text, value) => {
  expect(parseUnits(text, 16)).toBe(value);
});

test.each([
  ['1', weiPerToken],
  ['0', 0n],
  ['0.000000000000000001', 1n],
  ['1234.56', 1_234_560_000_000_000_000_000n],
])('%s YU have 18 decimals', (text, value) => expect(parseUnits(text, 18)).toBe(value));

test.each([
  '',
  ' ',
  '.',
  '-1',
  '+1',
  '1e3',
  '0x1',
  '1,5',
  '1 000',
  '١',
  '１',
  'NaN',
  'Infinity',
  '1.2.3',
  '0.0000000000000000001',
])('%j is no amount', (text) => expect(parseUnits(text, 18)).toBeNull());

test('refuses numbers of more than forty digits', () => {
  expect(parseUnits('9'.repeat(40), 18)).toBe(BigInt('9'.repeat(40)) * weiPerToken);
  expect(parseUnits('9'.repeat(41), 18)).toBeNull();
  expect(parseUnits('9'.repeat(100_000), 18)).toBeNull();
});

test('accepts only decimal base units from the API', () => {
  for (const value of ['', '1.5', '1e8', 'x', ' 1']) expect(toBaseUnits(value)).toBeNull();
  expect(toBaseUnits('-21')).toBe(-21n);
});
