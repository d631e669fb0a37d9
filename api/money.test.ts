import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatBtc, mostSatoshi, parseBtc, satoshi, satoshiOfWei, weiOfSatoshi, weiPerSatoshi } from './money.ts';

fc.configureGlobal({ seed: 20_260_101 });

const amounts = fc.bigInt({ min: 0n, max: mostSatoshi });

test('satoshi become bitcoin and wei and come back the same', () => {
  fc.assert(
    fc.property(amounts, (value) => {
      expect(parseBtc(formatBtc(value))).toBe(value);
      expect(satoshiOfWei(weiOfSatoshi(value))).toBe(value);
      expect(satoshi().safeParse(value.toString()).success).toBe(value > 0n);
    }),
  );
});

test('wei that are no whole satoshi are none', () => {
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
  ['21000000', mostSatoshi],
])('%s bitcoin are %s satoshi', (text, value) => expect(parseBtc(text)).toBe(value));

test.each(['', '.', '-1', '+1', '1e3', '0x1', '1,5', '0.000000001', '21000000.00000001', '1 000', '١', 'NaN', '1.2.3'])(
  '%s is no amount of bitcoin',
  (text) => expect(parseBtc(text)).toBeNull(),
);
test.each(['', '0', '01', '-1', '1.0', '1e3', '2100000000000001', ' 1'])('%s is no amount of satoshi', (text) =>
  expect(satoshi().safeParse(text).success).toBe(false),
);
