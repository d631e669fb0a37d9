import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  distanceToTrigger,
  formatUnits,
  mostRatio,
  noDebtRatio,
  parseUnits,
  priceAt,
  ratioOf,
  ratioOutOfOrder,
  repayFor,
} from './values.ts';

fc.configureGlobal({ seed: 20_260_101 });

const one = 10n ** 18n;
const wei = fc.bigInt({ min: 0n, max: 10n ** 40n - 1n }); // as many digits as are read
const decimals = fc.constantFrom(0, 8, 16, 18);

// ── Text and units ──

test('base units become decimals and come back the same', () => {
  fc.assert(
    fc.property(wei, decimals, (value, places) => {
      const text = formatUnits(value, places);
      expect(parseUnits(text, places)).toBe(value);
      expect(text).toMatch(/^\d+(\.\d*[1-9])?$/); // as short as it can be
      expect(formatUnits(-value, places)).toBe(value === 0n ? text : `-${text}`);
    }),
  );
});

test('the same number in other words is the same number', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(9999), fc.nat(12), fc.nat(5), (whole, part, zeros, ahead) => {
      const digits = part.toString().padStart(4, '0');
      const value = BigInt(whole) * one + BigInt(part) * 10n ** 14n;
      expect(parseUnits(` ${'0'.repeat(ahead)}${whole}.${digits}${'0'.repeat(zeros)} `, 18)).toBe(value);
    }),
  );
});

test('text is a number or none; it never throws, and never means something else', () => {
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
  ['1', one],
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

test('a number of more than forty digits is none: nothing overflows', () => {
  expect(parseUnits('9'.repeat(40), 18)).toBe(BigInt('9'.repeat(40)) * one);
  expect(parseUnits('9'.repeat(41), 18)).toBeNull();
  expect(parseUnits('9'.repeat(100_000), 18)).toBeNull();
});

// ── Ratios and prices ──

const amount = fc.bigInt({ min: 1n, max: 10n ** 27n });
const price = fc.bigInt({ min: 1n, max: 10n ** 24n });
const ratio = fc.bigInt({ min: one, max: mostRatio });

test('a ratio is collateral × price ÷ debt; without debt there is the largest number', () => {
  expect(ratioOf(one, 50_000n * one, 100_000n * one)).toBe(2n * one);
  expect(ratioOf(one, 0n, one)).toBe(noDebtRatio);
  expect(ratioOf(0n, one, one)).toBe(0n);
  fc.assert(
    fc.property(amount, amount, price, (collateral, debt, at) => {
      const value = ratioOf(collateral, debt, at);
      // Rounded down, by less than one unit.
      expect(value * debt <= collateral * at && collateral * at < (value + 1n) * debt).toBe(true);
    }),
  );
});

test('at the price of a ratio the trove is there: not above it, and above it one unit of price later', () => {
  fc.assert(
    fc.property(ratio, amount, amount, (target, collateral, debt) => {
      const at = priceAt(target, collateral, debt);
      expect(ratioOf(collateral, debt, at) <= target).toBe(true);
      expect(ratioOf(collateral, debt, at + 1n) >= target).toBe(true);
    }),
  );
  expect(priceAt(one, 0n, one)).toBe(0n);
  // Liquidation price is MCR × debt ÷ collateral, and the trigger price lies above it.
  expect(priceAt((one * 110n) / 100n, one, 50_000n * one)).toBe(55_000n * one);
});

test('what is repaid for a target reaches it, and a wei less does not', () => {
  fc.assert(
    fc.property(ratio, amount, amount, price, (target, collateral, debt, at) => {
      const sum = repayFor(target, collateral, debt, at);
      expect(sum >= 0n && sum <= debt).toBe(true);
      expect(ratioOf(collateral, debt - sum, at) >= target).toBe(true);
      if (sum > 0n) expect(ratioOf(collateral, debt - sum + 1n, at) < target).toBe(true);
    }),
  );
});

test('the distance to the trigger has the sign of what is left, and orders as ratios do', () => {
  expect(distanceToTrigger((one * 195n) / 100n, (one * 130n) / 100n)).toBe(one / 2n);
  expect(distanceToTrigger((one * 117n) / 100n, (one * 130n) / 100n)).toBe(-one / 10n);
  expect(distanceToTrigger(noDebtRatio, one)).toBeNull();
  expect(distanceToTrigger(one, 0n)).toBeNull();
  fc.assert(
    fc.property(ratio, ratio, ratio, (icr, other, trigger) => {
      const distance = distanceToTrigger(icr, trigger);
      const second = distanceToTrigger(other, trigger);
      if (distance === null || second === null) throw new Error('no distance');
      if (icr >= trigger) expect(distance >= 0n).toBe(true);
      if (icr <= trigger) expect(distance <= 0n).toBe(true);
      if (icr <= other) expect(distance <= second).toBe(true);
    }),
  );
});

test('ratios are in order when MCR < TRGCR < TARCR ≤ MAX_TARCR, and the first that is not is named', () => {
  const near = fc.bigInt({ min: 100n, max: 104n });
  fc.assert(
    fc.property(near, near, near, near, (MCR, TRGCR, TARCR, MAX_TARCR) => {
      const wrong = ratioOutOfOrder({ MCR, TRGCR, TARCR, MAX_TARCR });
      expect(wrong === null).toBe(MCR < TRGCR && TRGCR < TARCR && TARCR <= MAX_TARCR);
      if (wrong === 'TRGCR') expect(TRGCR <= MCR).toBe(true);
      if (wrong === 'TARCR') expect(MCR < TRGCR && TARCR <= TRGCR).toBe(true);
      if (wrong === 'MAX_TARCR') expect(MCR < TRGCR && TRGCR < TARCR && MAX_TARCR < TARCR).toBe(true);
    }),
  );
});
