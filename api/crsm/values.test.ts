import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weiPerToken } from '../money.ts';
import { distanceToTrigger, maxRatio, noDebtRatio, priceAt, ratioOf, findRatioOutOfOrder, repayFor } from './values.ts';

fc.configureGlobal({ seed: 20_260_101 });

const amountArbitrary = fc.bigInt({ min: 1n, max: 10n ** 27n });
const priceArbitrary = fc.bigInt({ min: 1n, max: 10n ** 24n });
const ratioArbitrary = fc.bigInt({ min: weiPerToken, max: maxRatio });

test('a ratio is collateral × price ÷ debt, and the maximum number without debt', () => {
  expect(ratioOf(weiPerToken, 50_000n * weiPerToken, 100_000n * weiPerToken)).toBe(2n * weiPerToken);
  expect(ratioOf(weiPerToken, 0n, weiPerToken)).toBe(noDebtRatio);
  expect(ratioOf(0n, weiPerToken, weiPerToken)).toBe(0n);
  fc.assert(
    fc.property(amountArbitrary, amountArbitrary, priceArbitrary, (collateral, debt, price) => {
      const value = ratioOf(collateral, debt, price);
      expect(value * debt <= collateral * price && collateral * price < (value + 1n) * debt).toBe(true);
    }),
  );
});

test('a trove has at most the given ratio at the price for that ratio, and more one unit above', () => {
  fc.assert(
    fc.property(ratioArbitrary, amountArbitrary, amountArbitrary, (target, collateral, debt) => {
      const price = priceAt(target, collateral, debt);
      expect(ratioOf(collateral, debt, price) <= target).toBe(true);
      expect(ratioOf(collateral, debt, price + 1n) >= target).toBe(true);
    }),
  );
  expect(priceAt(weiPerToken, 0n, weiPerToken)).toBe(0n);
  expect(priceAt((weiPerToken * 110n) / 100n, weiPerToken, 50_000n * weiPerToken)).toBe(55_000n * weiPerToken);
});

test('the computed repayment reaches the target ratio, and a wei less does not', () => {
  fc.assert(
    fc.property(ratioArbitrary, amountArbitrary, amountArbitrary, priceArbitrary, (target, collateral, debt, price) => {
      const repayment = repayFor(target, collateral, debt, price);
      expect(repayment >= 0n && repayment <= debt).toBe(true);
      expect(ratioOf(collateral, debt - repayment, price) >= target).toBe(true);
      if (repayment > 0n) expect(ratioOf(collateral, debt - repayment + 1n, price) < target).toBe(true);
    }),
  );
});

test('the distance to the trigger is negative below the trigger and sorts like the ratios', () => {
  expect(distanceToTrigger((weiPerToken * 195n) / 100n, (weiPerToken * 130n) / 100n)).toBe(weiPerToken / 2n);
  expect(distanceToTrigger((weiPerToken * 117n) / 100n, (weiPerToken * 130n) / 100n)).toBe(-weiPerToken / 10n);
  expect(distanceToTrigger(noDebtRatio, weiPerToken)).toBeNull();
  expect(distanceToTrigger(weiPerToken, 0n)).toBeNull();
  fc.assert(
    fc.property(ratioArbitrary, ratioArbitrary, ratioArbitrary, (icr, otherIcr, trigger) => {
      const distance = distanceToTrigger(icr, trigger);
      const otherDistance = distanceToTrigger(otherIcr, trigger);
      if (distance === null || otherDistance === null) throw new Error('no distance');
      if (icr >= trigger) expect(distance >= 0n).toBe(true);
      if (icr <= trigger) expect(distance <= 0n).toBe(true);
      if (icr <= otherIcr) expect(distance <= otherDistance).toBe(true);
    }),
  );
});

test('names the first ratio that breaks MCR < TRGCR < TARCR ≤ MAX_TARCR', () => {
  const mcrArbitrary = fc.bigInt({ min: 100n, max: 104n });
  fc.assert(
    fc.property(mcrArbitrary, mcrArbitrary, mcrArbitrary, mcrArbitrary, (MCR, TRGCR, TARCR, MAX_TARCR) => {
      const orderError = findRatioOutOfOrder({ MCR, TRGCR, TARCR, MAX_TARCR });
      expect(orderError === null).toBe(MCR < TRGCR && TRGCR < TARCR && TARCR <= MAX_TARCR);
      if (orderError === 'TRGCR') expect(TRGCR <= MCR).toBe(true);
      if (orderError === 'TARCR') expect(MCR < TRGCR && TARCR <= TRGCR).toBe(true);
      if (orderError === 'MAX_TARCR') expect(MCR < TRGCR && TRGCR < TARCR && MAX_TARCR < TARCR).toBe(true);
    }),
  );
});
