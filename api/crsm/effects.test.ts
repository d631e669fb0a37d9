import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CrsmState, computeEffect, parseCrsmFigures, parseCrsmParams, computeAllowedRange } from './effects.ts';
import { crsmActions, maxRatio, noDebtRatio, ratioOf } from './values.ts';

fc.configureGlobal({ seed: 20_261_121 });

const wad = 10n ** 18n;
const yuToWei = (value: number) => BigInt(value) * wad;
const percentToWad = (value: number) => BigInt(value) * 10n ** 16n;
const crsmAddress = `0x${'aB'.repeat(20)}`;
const otherAddress = `0x${'12'.repeat(20)}`;

const baseState: CrsmState = {
  id: crsmAddress,
  collateral: wad,
  debt: yuToWei(49_000),
  interest: yuToWei(1000),
  price: yuToWei(60_000),
  MCR: percentToWad(110),
  TRGCR: percentToWad(125),
  TARCR: percentToWad(150),
  MAX_TARCR: percentToWad(160),
  debtGasCompensation: yuToWei(10),
  pendingDebtGasCompensation: yuToWei(7),
  deposits: yuToWei(20_000),
  yieldGains: yuToWei(100),
  debtTokenBalance: yuToWei(500),
  minDebt: yuToWei(2200),
  balance: yuToWei(300),
  allowance: null,
};

const pickChangedFigures = (effect: ReturnType<typeof computeEffect>) =>
  Object.fromEntries(
    Object.entries(effect)
      .filter(([, { before, after }]) => before !== after)
      .map(([name, { before, after }]) => [name, [before, after]]),
  );

test('deposits and withdrawals move YU between wallet, clone and pool, and leave the trove unchanged', () => {
  expect(pickChangedFigures(computeEffect('deposit', baseState, { amount: yuToWei(5) }))).toEqual({
    deposits: [yuToWei(20_000), yuToWei(20_005)],
  });
  expect(pickChangedFigures(computeEffect('withdrawFromSP', baseState, { to: otherAddress, amount: yuToWei(5) }))).toEqual({
    deposits: [yuToWei(20_000), yuToWei(19_995)],
  });
  expect(pickChangedFigures(computeEffect('withdrawFromSP', baseState, { to: otherAddress, amount: yuToWei(99_999) }))).toEqual({
    deposits: [yuToWei(20_000), 0n],
  });
  expect(
    pickChangedFigures(computeEffect('withdrawFromSP', baseState, { to: crsmAddress.toLowerCase(), amount: yuToWei(5) })),
  ).toEqual({
    deposits: [yuToWei(20_000), yuToWei(19_995)],
    idle: [yuToWei(500), yuToWei(505)],
  });
  expect(pickChangedFigures(computeEffect('claimYield', baseState, { to: otherAddress }))).toEqual({
    yieldGains: [yuToWei(100), 0n],
  });
  expect(pickChangedFigures(computeEffect('claimYield', baseState, { to: crsmAddress }))).toEqual({
    yieldGains: [yuToWei(100), 0n],
    idle: [yuToWei(500), yuToWei(600)],
  });
  expect(pickChangedFigures(computeEffect('claimAllCollateralGains', baseState, { to: otherAddress }))).toEqual({});
  expect(pickChangedFigures(computeEffect('withdraw', baseState, { to: otherAddress, amount: yuToWei(500) }))).toEqual({
    idle: [yuToWei(500), 0n],
  });
  expect(pickChangedFigures(computeEffect('withdraw', baseState, { to: crsmAddress, amount: yuToWei(500) }))).toEqual({});
});

test('new ratios change only the trigger price, and a reward stays pending until accepted', () => {
  const ratios = { TRGCR: percentToWad(130), TARCR: percentToWad(150), MAX_TARCR: percentToWad(160) };
  expect(pickChangedFigures(computeEffect('updateCR', baseState, ratios))).toEqual({
    triggerPrice: [yuToWei(62_500), yuToWei(65_000)],
  });
  expect(pickChangedFigures(computeEffect('commitDebtGasCompensation', baseState, { debtGasCompensation: yuToWei(9) }))).toEqual({
    pendingDebtGasCompensation: [yuToWei(7), yuToWei(9)],
  });
  expect(pickChangedFigures(computeEffect('acceptDebtGasCompensation', baseState, {}))).toEqual({
    debtGasCompensation: [yuToWei(10), yuToWei(7)],
    pendingDebtGasCompensation: [yuToWei(7), 0n],
  });
});

test('a new CRSM has no trigger before, and its first deposit after', () => {
  const { collateral, debt, interest, price, MCR } = baseState;
  const position = Object.fromEntries(
    Object.entries({ collateral, debt, interest, price, MCR }).map(([name, value]) => [name, value.toString()]),
  ) as Parameters<typeof parseCrsmFigures>[0];
  const params = parseCrsmParams('create', {
    TRGCR: percentToWad(125).toString(),
    TARCR: percentToWad(150).toString(),
    MAX_TARCR: percentToWad(160).toString(),
    debtGasCompensation: yuToWei(10).toString(),
    amount: '7',
  });
  expect(pickChangedFigures(computeEffect('create', parseCrsmFigures(position), params))).toEqual({
    deposits: [0n, 7n],
    triggerPrice: [0n, yuToWei(62_500)],
    debtGasCompensation: [0n, yuToWei(10)],
  });
});

test('repaying spends idle YU first, then the yield, then the deposit', () => {
  const computeFiguresAfterRepay = (amount: bigint) => {
    const { idle, yieldGains, deposits, debt } = computeEffect('repay', baseState, { amount });
    return [idle.after, yieldGains.after, deposits.after, debt.after];
  };
  expect(computeFiguresAfterRepay(yuToWei(490))).toEqual([0n, yuToWei(100), yuToWei(20_000), yuToWei(49_510)]);
  expect(computeFiguresAfterRepay(yuToWei(491))).toEqual([yuToWei(99), 0n, yuToWei(20_000), yuToWei(49_509)]);
  expect(computeFiguresAfterRepay(yuToWei(590))).toEqual([0n, 0n, yuToWei(20_000), yuToWei(49_410)]);
  expect(computeFiguresAfterRepay(yuToWei(10_000))).toEqual([0n, 0n, yuToWei(10_590), yuToWei(40_000)]);
  const { icr, liquidationPrice, triggerPrice } = computeEffect('repay', baseState, { amount: yuToWei(10_000) });
  expect([icr, liquidationPrice, triggerPrice]).toEqual([
    { before: percentToWad(120), after: percentToWad(150) },
    { before: yuToWei(55_000), after: yuToWei(44_000) },
    { before: yuToWei(62_500), after: yuToWei(50_000) },
  ]);
});

test('a trove without debt shows no ratio', () => {
  const { icr, liquidationPrice } = computeEffect(
    'claimYield',
    { ...baseState, debt: 0n, interest: 0n, collateral: 0n },
    { to: otherAddress },
  );
  expect(icr).toEqual({ before: noDebtRatio, after: noDebtRatio });
  expect(liquidationPrice).toEqual({ before: 0n, after: 0n });
});

test('every number has bounds and a reason for its maximum', () => {
  expect(computeAllowedRange('deposit', 'amount', baseState)).toEqual({ min: 1n, max: yuToWei(300), limit: 'balance' });
  expect(computeAllowedRange('deposit', 'amount', { ...baseState, allowance: yuToWei(1) })).toEqual({
    min: 1n,
    max: yuToWei(1),
    limit: 'allowance',
  });
  expect(computeAllowedRange('create', 'amount', { ...baseState, balance: 0n, allowance: 0n })).toEqual({
    min: 0n,
    max: 0n,
    limit: 'balance',
  });
  expect(computeAllowedRange('withdrawFromSP', 'amount', baseState)).toEqual({
    min: 1n,
    max: yuToWei(20_000),
    limit: 'deposits',
  });
  expect(computeAllowedRange('withdraw', 'amount', baseState)).toEqual({ min: 1n, max: yuToWei(500), limit: 'idle' });
  expect(computeAllowedRange('withdraw', 'to', baseState)).toBeNull();
  expect(computeAllowedRange('commitDebtGasCompensation', 'debtGasCompensation', baseState)?.min).toBe(0n);
});

test('ratio bounds keep the order MCR < TRGCR < TARCR ≤ MAX_TARCR ≤ 10,000 %', () => {
  const computeRatioBounds = (field: 'TRGCR' | 'TARCR' | 'MAX_TARCR', chosenRatios = {}) => {
    const bounds = computeAllowedRange('updateCR', field, baseState, chosenRatios);
    return [bounds?.min, bounds?.max];
  };
  expect(computeRatioBounds('TRGCR')).toEqual([percentToWad(110) + 1n, maxRatio - 1n]);
  expect(computeRatioBounds('TRGCR', { TARCR: percentToWad(150) })).toEqual([percentToWad(110) + 1n, percentToWad(150) - 1n]);
  expect(computeRatioBounds('TARCR', { TRGCR: percentToWad(120), MAX_TARCR: percentToWad(150) })).toEqual([
    percentToWad(120) + 1n,
    percentToWad(150),
  ]);
  expect(computeRatioBounds('MAX_TARCR', { TRGCR: percentToWad(120), TARCR: percentToWad(150) })).toEqual([
    percentToWad(150),
    maxRatio,
  ]);
  expect(computeRatioBounds('MAX_TARCR', { TRGCR: percentToWad(120) })).toEqual([percentToWad(120) + 1n, maxRatio]);
});

test('repayment is bounded by the trigger, the funds, the minimum debt and the resulting ratios', () => {
  // 1 YBTC at 60,000: 40,000 of debt is 150 %, 37,500 is 160 %.
  expect(computeAllowedRange('repay', 'amount', baseState)).toMatchObject({ min: yuToWei(10_000), limit: 'ratio' });
  expect(computeAllowedRange('repay', 'amount', { ...baseState, TRGCR: percentToWad(119) })).toEqual({
    min: 1n,
    max: 0n,
    limit: 'trigger',
  });
  expect(computeAllowedRange('repay', 'amount', { ...baseState, deposits: yuToWei(11_000) })).toEqual({
    min: yuToWei(10_000),
    max: yuToWei(11_590),
    limit: 'funds',
  });
  expect(computeAllowedRange('repay', 'amount', { ...baseState, deposits: yuToWei(5000) })).toEqual({
    min: yuToWei(5589) + 1n,
    max: yuToWei(5590),
    limit: 'funds',
  });
  expect(computeAllowedRange('repay', 'amount', { ...baseState, minDebt: yuToWei(39_000) })).toEqual({
    min: yuToWei(10_000),
    max: yuToWei(11_000),
    limit: 'debt',
  });
  const emptyRange = computeAllowedRange('repay', 'amount', {
    ...baseState,
    deposits: 0n,
    yieldGains: 0n,
    debtTokenBalance: yuToWei(9),
  });
  expect(emptyRange).toEqual({ min: 1n, max: 0n, limit: 'funds' });
});

const amountArbitrary = fc.bigInt({ min: 0n, max: 10n ** 27n });
const ratioStep = fc.bigInt({ min: 1n, max: 3n * wad });
const ratiosArbitrary = fc
  .tuple(ratioStep, ratioStep, ratioStep, ratioStep)
  .map(([a, b, c, d]) => ({ MCR: wad + a, TRGCR: wad + a + b, TARCR: wad + a + b + c, MAX_TARCR: wad + a + b + c + d }));
const stateArbitrary = fc
  .tuple(
    fc.record({
      collateral: amountArbitrary,
      debt: amountArbitrary,
      interest: amountArbitrary,
      price: fc.bigInt({ min: 1n, max: 10n ** 24n }),
    }),
    ratiosArbitrary,
  )
  .chain(([trove, ratios]) =>
    fc
      .record({
        debtGasCompensation: amountArbitrary,
        deposits: amountArbitrary,
        yieldGains: amountArbitrary,
        debtTokenBalance: amountArbitrary,
      })
      .map((fundFigures): CrsmState => ({ ...baseState, ...trove, ...ratios, ...fundFigures, id: crsmAddress })),
  );
const triggeredStateArbitrary = fc
  .tuple(
    ratiosArbitrary,
    fc.bigInt({ min: 3000n * wad, max: 10n ** 25n }),
    fc.bigInt({ min: 0n, max: wad }),
    fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 }),
  )
  .map(([ratios, debt, distanceBelowTrigger, [a = 0, b = 0, c = 0, d = 0]]): CrsmState => {
    const partOfDebt = (thousandths: number) => (debt * BigInt(thousandths)) / 1000n;
    const icr = ratios.TRGCR - (distanceBelowTrigger * (ratios.TRGCR - wad)) / wad;
    const collateral = (debt * icr) / baseState.price;
    return {
      ...baseState,
      ...ratios,
      collateral,
      debt: debt - partOfDebt(d) / 2n,
      interest: partOfDebt(d) / 2n,
      debtTokenBalance: partOfDebt(a) / 4n,
      yieldGains: partOfDebt(b) / 4n,
      deposits: partOfDebt(c),
    };
  });

test('no action creates YU: clone and pool lose what the action pays', () => {
  const sumHeldYu = (effect: ReturnType<typeof computeEffect>, side: 'before' | 'after') =>
    effect.idle[side] + effect.yieldGains[side] + effect.deposits[side];
  fc.assert(
    fc.property(stateArbitrary, amountArbitrary, (state, amount) => {
      const funds = state.debtTokenBalance + state.yieldGains + state.deposits - state.debtGasCompensation;
      const repayment = [amount, funds, state.debt + state.interest].reduce((a, b) => (a < b ? a : b));
      fc.pre(repayment > 0n);
      const effect = computeEffect('repay', state, { amount: repayment });
      expect(sumHeldYu(effect, 'before') - sumHeldYu(effect, 'after')).toBe(repayment + state.debtGasCompensation);
      expect(effect.debt.before - effect.debt.after).toBe(repayment);
      expect(effect.icr.after >= effect.icr.before).toBe(true);
      expect(effect.liquidationPrice.after <= effect.liquidationPrice.before).toBe(true);
      for (const { after } of Object.values(effect)) expect(after >= 0n).toBe(true);
      const withdrawalEffect = computeEffect('withdrawFromSP', state, { to: crsmAddress, amount });
      expect(sumHeldYu(withdrawalEffect, 'after')).toBe(sumHeldYu(withdrawalEffect, 'before'));
    }),
  );
});

function isRepaymentAccepted(state: CrsmState, amount: bigint): boolean {
  const debt = state.debt + state.interest;
  if (amount < 1n || debt <= state.minDebt || amount > debt - state.minDebt) return false;
  if (ratioOf(state.collateral, debt, state.price) > state.TRGCR) return false;
  const remainingFunds = state.debtTokenBalance + state.yieldGains + state.deposits - state.debtGasCompensation - amount;
  if (remainingFunds < 0n) return false;
  const ratio = ratioOf(state.collateral, debt - amount, state.price);
  return (ratio >= state.TARCR || remainingFunds < wad) && ratio <= state.MAX_TARCR;
}

test('the repayment bounds equal the contract’s: it accepts everything inside and refuses a wei outside', () => {
  let acceptedCount = 0;
  fc.assert(
    fc.property(fc.oneof(stateArbitrary, triggeredStateArbitrary), fc.bigInt({ min: 0n, max: wad }), (state, positionInRange) => {
      const range = computeAllowedRange('repay', 'amount', state);
      if (!range) throw new Error('no range');
      const { min, max } = range;
      if (min > max) {
        for (const amount of [1n, min, max, (state.debt * positionInRange) / wad])
          expect(isRepaymentAccepted(state, amount)).toBe(false);
        return;
      }
      acceptedCount++;
      for (const amount of [min, max, min + ((max - min) * positionInRange) / wad])
        expect(isRepaymentAccepted(state, amount)).toBe(true);
      for (const amount of [min - 1n, max + 1n]) expect(isRepaymentAccepted(state, amount)).toBe(false);
    }),
    { numRuns: 1000 },
  );
  expect(acceptedCount).toBeGreaterThan(50);
});

test('every action of the panel has an effect and bounds', () => {
  const params = {
    to: otherAddress,
    amount: 1n,
    TRGCR: percentToWad(130),
    TARCR: percentToWad(150),
    MAX_TARCR: percentToWad(160),
    debtGasCompensation: 1n,
  };
  for (const action of crsmActions) {
    expect(Object.keys(computeEffect(action, baseState, params)).length, action).toBe(9);
    computeAllowedRange(action, 'amount' as never, baseState);
  }
});
