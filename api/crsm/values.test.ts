import fc from 'fast-check';
import { expect, test } from 'vitest';
import { weiPerToken } from '../money.ts';
import { distanceToTrigger, maxRatio, noDebtRatio, priceAt, ratioOf, ratioOutOfOrder, repayFor } from './values.ts';

fc.configureGlobal({ seed: 20_260_101 });

const amount = fc.bigInt({ min: 1n, max: 10n ** 27n });
const price = fc.bigInt({ min: 1n, max: 10n ** 24n });
const ratio = fc.bigInt({ min: weiPerToken, max: maxRatio });

test('a ratio is collateral × price ÷ debt, and the maximum number without debt', () => {
  expect(ratioOf(weiPerToken, 50_000n * weiPerToken, 100_000n * weiPerToken)).toBe(2n * weiPerToken);
  expect(ratioOf(weiPerToken, 0n, weiPerToken)).toBe(noDebtRatio);
  expect(ratioOf(0n, weiPerToken, weiPerToken)).toBe(0n);
  fc.assert(
    fc.property(amount, amount, price, (collateral, debt, at) => {
      const value = ratioOf(collateral, debt, at);
      expect(value * debt <= collateral * at && collateral * at < (value + 1n) * debt).toBe(true);
    }),
  );
});

test('a trove has at most the given ratio at the price for that ratio, and more one unit above', () => {
  fc.assert(
    fc.property(ratio, amount, amount, (target, collateral, debt) => {
      const at = priceAt(target, collateral, debt);
      expect(ratioOf(collateral, debt, at) <= target).toBe(true);
      expect(ratioOf(collateral, debt, at + 1n) >= target).toBe(true);
    }),
  );
  expect(priceAt(weiPerToken, 0n, weiPerToken)).toBe(0n);
  expect(priceAt((weiPerToken * 110n) / 100n, weiPerToken, 50_000n * weiPerToken)).toBe(55_000n * weiPerToken);
});

test('the computed repayment reaches the target ratio, and a wei less does not', () => {
  fc.assert(
    fc.property(ratio, amount, amount, price, (target, collateral, debt, at) => {
      const sum = repayFor(target, collateral, debt, at);
      expect(sum >= 0n && sum <= debt).toBe(true);
      expect(ratioOf(collateral, debt - sum, at) >= target).toBe(true);
      if (sum > 0n) expect(ratioOf(collateral, debt - sum + 1n, at) < target).toBe(true);
    }),
  );
});

test('the distance to the trigger is negative below the trigger and sorts like the ratios', () => {
  expect(distanceToTrigger((weiPerToken * 195n) / 100n, (weiPerToken * 130n) / 100n)).toBe(weiPerToken / 2n);
  expect(distanceToTrigger((weiPerToken * 117n) / 100n, (weiPerToken * 130n) / 100n)).toBe(-weiPerToken / 10n);
  expect(distanceToTrigger(noDebtRatio, weiPerToken)).toBeNull();
  expect(distanceToTrigger(weiPerToken, 0n)).toBeNull();
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

test('names the first ratio that breaks MCR < TRGCR < TARCR ≤ MAX_TARCR', () => {
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
