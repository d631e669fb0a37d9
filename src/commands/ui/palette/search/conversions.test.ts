import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mostSatoshi } from '../../../../../api/money.ts';
import { conversionsOf, type Conversion } from './conversions.ts';

fc.configureGlobal({ seed: 20_260_101 });

const told = (query: string) => Object.fromEntries(conversionsOf(query).map(({ unit, text }) => [unit, text]));
const only = (query: string, unit: Conversion['unit']) => conversionsOf(query).find((one) => one.unit === unit)?.text ?? '';

describe('an amount with its unit is told in the others', () => {
  test.each([
    ['0.5 btc', { satoshi: '50000000', wei: '500000000000000000' }],
    ['0.50000000BTC', { satoshi: '50000000', wei: '500000000000000000' }],
    ['150000 sat', { btc: '0.00150000', wei: '1500000000000000' }],
    ['150,000 sats', { btc: '0.00150000', satoshi: '150000', wei: '1500000000000000' }],
    ['１５００００聪', { btc: '0.00150000', wei: '1500000000000000' }],
    ['1.5e18 wei', { ether: '1.5', gwei: '1500000000', wei: '1500000000000000000', satoshi: '150000000' }],
    ['12 gwei', { ether: '0.000000012', wei: '12000000000' }],
    ['1 wei', { ether: '0.000000000000000001', gwei: '0.000000001' }],
    ['2,000 YU', { ether: '2000', gwei: '2000000000000', wei: '2000000000000000000000', satoshi: '200000000000' }],
    ['135 %', { ratio: '1350000000000000000' }],
    ['135%', { ratio: '1350000000000000000' }],
    ['0.01%', { ratio: '100000000000000' }],
    ['1350000000000000000 (1e18)', { percent: '135' }],
  ])('%s', (query, expected) => expect(told(query)).toEqual(expected));

  test('a long whole number alone may be a ratio and may be an amount', () => {
    expect(conversionsOf('1350000000000000000')).toEqual([
      { unit: 'percent', text: '135' },
      { unit: 'ratio', text: '1350000000000000000' },
      { unit: 'ether', text: '1.35' },
      { unit: 'gwei', text: '1350000000' },
      { unit: 'wei', text: '1350000000000000000' },
      { unit: 'satoshi', text: '135000000' },
    ]);
  });
});

test.each([
  ['nothing', ''],
  ['a number alone', '12'],
  ['a word', 'btc'],
  ['a unit unknown', '12 apples'],
  ['two numbers', '1 2 btc'],
  ['half a satoshi', '0.5 sat'],
  ['less than a satoshi', '0.000000001 btc'],
  ['less than a wei', '0.1 wei'],
  ['a ratio finer than there is', '0.00000000000000001 %'],
  ['more bitcoin than there are', '21000001 btc'],
  ['a number that is none', '1.2.3 btc'],
  ['commas anywhere', '1,5 btc'],
  ['less than nothing', '-1 btc'],
  ['more than a contract holds', '1e79 wei'],
  ['an exponent without end', '1e999 wei'],
  ['a point alone', '. btc'],
  ['what a search begins with', '0x12 wei'],
])('%s gives no row: "%s"', (_, query) => expect(conversionsOf(query)).toEqual([]));

describe('there and back is where one was', () => {
  const there = fc.bigInt({ min: 0n, max: 10n ** 30n });
  test('satoshi and bitcoin', () =>
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: mostSatoshi }), (satoshi) => {
        expect(only(`${only(`${satoshi} sat`, 'btc')} btc`, 'satoshi')).toBe(`${satoshi}`);
      }),
    ));
  test.each(['ether', 'gwei'] as const)('wei and %s', (unit) =>
    fc.assert(
      fc.property(there, (wei) => {
        expect(only(`${only(`${wei} wei`, unit)} ${unit}`, 'wei')).toBe(`${wei}`);
      }),
    ),
  );
  test('percent and ratio', () =>
    fc.assert(
      fc.property(there, (ratio) => {
        expect(only(`${only(`${ratio} (1e18)`, 'percent')} %`, 'ratio')).toBe(`${ratio}`);
      }),
    ));
  test('whatever is typed, what is told is a plain number', () =>
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\d.,_e+-]{1,12} ?(btc|sat|wei|gwei|eth|%|\(1e18\))?$/)), (typed) => {
        for (const { text } of conversionsOf(typed)) expect(text).toMatch(/^\d+(\.\d+)?$/);
      }),
    ));
});
