import fc from 'fast-check';
import { expect, test } from 'vitest';
import { satoshiSchema } from './money-fields.ts';
import {
  formatBtc,
  formatUnits,
  maxSatoshi,
  parseBtc,
  parseUnits,
  satoshiOfWei,
  toBaseUnits,
  weiPerToken,
  weiOfSatoshi,
  weiPerSatoshi,
} from './money.ts';

fc.configureGlobal({ seed: 20_260_101 });

const amounts = fc.bigInt({ min: 0n, max: maxSatoshi });

test('satoshi convert to bitcoin and wei and back without loss', () => {
  fc.assert(
    fc.property(amounts, (value) => {
      expect(parseBtc(formatBtc(value))).toBe(value);
      expect(satoshiOfWei(weiOfSatoshi(value))).toBe(value);
      expect(satoshiSchema().safeParse(value.toString()).success).toBe(value > 0n);
    }),
  );
});

test('refuses wei that are not a whole number of satoshi', () => {
  fc.assert(
    fc.property(amounts, fc.bigInt({ min: 1n, max: weiPerSatoshi - 1n }), (value, rest) => {
      expect(satoshiOfWei(weiOfSatoshi(value) + rest)).toBeNull();
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

const wei = fc.bigInt({ min: 0n, max: 10n ** 40n - 1n });
const decimals = fc.constantFrom(0, 8, 16, 18);

test('base units convert to decimals and back without loss', () => {
  fc.assert(
    fc.property(wei, decimals, (value, places) => {
      const text = formatUnits(value, places);
      expect(parseUnits(text, places)).toBe(value);
      expect(text).toMatch(/^\d+(\.\d*[1-9])?$/);
      expect(formatUnits(-value, places)).toBe(value === 0n ? text : `-${text}`);
    }),
  );
});

test('parses different spellings of a number to the same value', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(9999), fc.nat(12), fc.nat(5), (whole, part, zeros, ahead) => {
      const digits = part.toString().padStart(4, '0');
      const value = BigInt(whole) * weiPerToken + BigInt(part) * 10n ** 14n;
      expect(parseUnits(` ${'0'.repeat(ahead)}${whole}.${digits}${'0'.repeat(zeros)} `, 18)).toBe(value);
    }),
  );
});

test('parses any text to its exact number or to null, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.,e+ -]{0,12}$/)), decimals, (text, places) => {
      const value = parseUnits(text, places);
      const [whole = '', part = ''] = text.trim().split('.');
      const isOne = /^(\d+\.?\d*|\.\d+)$/.test(text.trim()) && part.length <= places;
      expect(value === null).toBe(!isOne);
      if (value !== null) expect(value).toBe(BigInt(`${whole}${part.padEnd(places, '0')}` || '0'));
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
