import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CrsmState, effectOf, crsmFigures, paramsOf, allowedRange } from './effects.ts';
import { crsmActions, maxRatio, noDebtRatio, ratioOf } from './values.ts';

fc.configureGlobal({ seed: 20_261_121 });

const one = 10n ** 18n;
const yu = (value: number) => BigInt(value) * one;
const percent = (value: number) => BigInt(value) * 10n ** 16n;
const self = `0x${'aB'.repeat(20)}`;
const other = `0x${'12'.repeat(20)}`;

const near: CrsmState = {
  id: self,
  collateral: one,
  debt: yu(49_000),
  interest: yu(1000),
  price: yu(60_000),
  MCR: percent(110),
  TRGCR: percent(125),
  TARCR: percent(150),
  MAX_TARCR: percent(160),
  debtGasCompensation: yu(10),
  pendingDebtGasCompensation: yu(7),
  deposits: yu(20_000),
  yieldGains: yu(100),
  debtTokenBalance: yu(500),
  minDebt: yu(2200),
  balance: yu(300),
  allowance: null,
};

const changedBy = (effect: ReturnType<typeof effectOf>) =>
  Object.fromEntries(
    Object.entries(effect)
      .filter(([, { before, after }]) => before !== after)
      .map(([name, { before, after }]) => [name, [before, after]]),
  );

test('deposits and withdrawals move YU between wallet, clone and pool, and leave the trove unchanged', () => {
  expect(changedBy(effectOf('deposit', near, { amount: yu(5) }))).toEqual({ deposits: [yu(20_000), yu(20_005)] });
  expect(changedBy(effectOf('withdrawFromSP', near, { to: other, amount: yu(5) }))).toEqual({
    deposits: [yu(20_000), yu(19_995)],
  });
  expect(changedBy(effectOf('withdrawFromSP', near, { to: other, amount: yu(99_999) }))).toEqual({
    deposits: [yu(20_000), 0n],
  });
  expect(changedBy(effectOf('withdrawFromSP', near, { to: self.toLowerCase(), amount: yu(5) }))).toEqual({
    deposits: [yu(20_000), yu(19_995)],
    idle: [yu(500), yu(505)],
  });
  expect(changedBy(effectOf('claimYield', near, { to: other }))).toEqual({ yieldGains: [yu(100), 0n] });
  expect(changedBy(effectOf('claimYield', near, { to: self }))).toEqual({ yieldGains: [yu(100), 0n], idle: [yu(500), yu(600)] });
  expect(changedBy(effectOf('claimAllCollateralGains', near, { to: other }))).toEqual({});
  expect(changedBy(effectOf('withdraw', near, { to: other, amount: yu(500) }))).toEqual({ idle: [yu(500), 0n] });
  expect(changedBy(effectOf('withdraw', near, { to: self, amount: yu(500) }))).toEqual({});
});

test('new ratios change only the trigger price, and a reward stays pending until accepted', () => {
  const ratios = { TRGCR: percent(130), TARCR: percent(150), MAX_TARCR: percent(160) };
  expect(changedBy(effectOf('updateCR', near, ratios))).toEqual({ triggerPrice: [yu(62_500), yu(65_000)] });
  expect(changedBy(effectOf('commitDebtGasCompensation', near, { debtGasCompensation: yu(9) }))).toEqual({
    pendingDebtGasCompensation: [yu(7), yu(9)],
  });
  expect(changedBy(effectOf('acceptDebtGasCompensation', near, {}))).toEqual({
    debtGasCompensation: [yu(10), yu(7)],
    pendingDebtGasCompensation: [yu(7), 0n],
  });
});

test('a new CRSM has no trigger before, and its first deposit after', () => {
  const { collateral, debt, interest, price, MCR } = near;
  const position = Object.fromEntries(
    Object.entries({ collateral, debt, interest, price, MCR }).map(([name, value]) => [name, value.toString()]),
  ) as Parameters<typeof crsmFigures>[0];
  const params = paramsOf('create', {
    TRGCR: percent(125).toString(),
    TARCR: percent(150).toString(),
    MAX_TARCR: percent(160).toString(),
    debtGasCompensation: yu(10).toString(),
    amount: '7',
  });
  expect(changedBy(effectOf('create', crsmFigures(position), params))).toEqual({
    deposits: [0n, 7n],
    triggerPrice: [0n, yu(62_500)],
    debtGasCompensation: [0n, yu(10)],
  });
});

test('repaying spends idle YU first, then the yield, then the deposit', () => {
  const after = (amount: bigint) => {
    const { idle, yieldGains, deposits, debt } = effectOf('repay', near, { amount });
    return [idle.after, yieldGains.after, deposits.after, debt.after];
  };
  expect(after(yu(490))).toEqual([0n, yu(100), yu(20_000), yu(49_510)]);
  expect(after(yu(491))).toEqual([yu(99), 0n, yu(20_000), yu(49_509)]);
  expect(after(yu(590))).toEqual([0n, 0n, yu(20_000), yu(49_410)]);
  expect(after(yu(10_000))).toEqual([0n, 0n, yu(10_590), yu(40_000)]);
  const { icr, liquidationPrice, triggerPrice } = effectOf('repay', near, { amount: yu(10_000) });
  expect([icr, liquidationPrice, triggerPrice]).toEqual([
    { before: percent(120), after: percent(150) },
    { before: yu(55_000), after: yu(44_000) },
    { before: yu(62_500), after: yu(50_000) },
  ]);
});

test('a trove without debt shows no ratio', () => {
  const { icr, liquidationPrice } = effectOf('claimYield', { ...near, debt: 0n, interest: 0n, collateral: 0n }, { to: other });
  expect(icr).toEqual({ before: noDebtRatio, after: noDebtRatio });
  expect(liquidationPrice).toEqual({ before: 0n, after: 0n });
});

test('every number has bounds and a reason for its maximum', () => {
  expect(allowedRange('deposit', 'amount', near)).toEqual({ min: 1n, max: yu(300), limit: 'balance' });
  expect(allowedRange('deposit', 'amount', { ...near, allowance: yu(1) })).toEqual({
    min: 1n,
    max: yu(1),
    limit: 'allowance',
  });
  expect(allowedRange('create', 'amount', { ...near, balance: 0n, allowance: 0n })).toEqual({
    min: 0n,
    max: 0n,
    limit: 'balance',
  });
  expect(allowedRange('withdrawFromSP', 'amount', near)).toEqual({ min: 1n, max: yu(20_000), limit: 'deposits' });
  expect(allowedRange('withdraw', 'amount', near)).toEqual({ min: 1n, max: yu(500), limit: 'idle' });
  expect(allowedRange('withdraw', 'to', near)).toBeNull();
  expect(allowedRange('commitDebtGasCompensation', 'debtGasCompensation', near)?.min).toBe(0n);
});

test('ratio bounds keep the order MCR < TRGCR < TARCR ≤ MAX_TARCR ≤ 10,000 %', () => {
  const range = (field: 'TRGCR' | 'TARCR' | 'MAX_TARCR', chosen = {}) => {
    const bounds = allowedRange('updateCR', field, near, chosen);
    return [bounds?.min, bounds?.max];
  };
  expect(range('TRGCR')).toEqual([percent(110) + 1n, maxRatio - 1n]);
  expect(range('TRGCR', { TARCR: percent(150) })).toEqual([percent(110) + 1n, percent(150) - 1n]);
  expect(range('TARCR', { TRGCR: percent(120), MAX_TARCR: percent(150) })).toEqual([percent(120) + 1n, percent(150)]);
  expect(range('MAX_TARCR', { TRGCR: percent(120), TARCR: percent(150) })).toEqual([percent(150), maxRatio]);
  expect(range('MAX_TARCR', { TRGCR: percent(120) })).toEqual([percent(120) + 1n, maxRatio]);
});

test('repayment is bounded by the trigger, the funds, the minimum debt and the resulting ratios', () => {
  // 1 YBTC at 60,000: 40,000 of debt is 150 %, 37,500 is 160 %.
  expect(allowedRange('repay', 'amount', near)).toMatchObject({ min: yu(10_000), limit: 'ratio' });
  expect(allowedRange('repay', 'amount', { ...near, TRGCR: percent(119) })).toEqual({ min: 1n, max: 0n, limit: 'trigger' });
  expect(allowedRange('repay', 'amount', { ...near, deposits: yu(11_000) })).toEqual({
    min: yu(10_000),
    max: yu(11_590),
    limit: 'funds',
  });
  expect(allowedRange('repay', 'amount', { ...near, deposits: yu(5000) })).toEqual({
    min: yu(5589) + 1n,
    max: yu(5590),
    limit: 'funds',
  });
  expect(allowedRange('repay', 'amount', { ...near, minDebt: yu(39_000) })).toEqual({
    min: yu(10_000),
    max: yu(11_000),
    limit: 'debt',
  });
  const none = allowedRange('repay', 'amount', { ...near, deposits: 0n, yieldGains: 0n, debtTokenBalance: yu(9) });
  expect(none).toEqual({ min: 1n, max: 0n, limit: 'funds' });
});

const amount = fc.bigInt({ min: 0n, max: 10n ** 27n });
const step = fc.bigInt({ min: 1n, max: 3n * one });
const ratios = fc
  .tuple(step, step, step, step)
  .map(([a, b, c, d]) => ({ MCR: one + a, TRGCR: one + a + b, TARCR: one + a + b + c, MAX_TARCR: one + a + b + c + d }));
const states = fc
  .tuple(
    fc.record({ collateral: amount, debt: amount, interest: amount, price: fc.bigInt({ min: 1n, max: 10n ** 24n }) }),
    ratios,
  )
  .chain(([trove, order]) =>
    fc
      .record({ debtGasCompensation: amount, deposits: amount, yieldGains: amount, debtTokenBalance: amount })
      .map((own): CrsmState => ({ ...near, ...trove, ...order, ...own, id: self })),
  );
const triggered = fc
  .tuple(
    ratios,
    fc.bigInt({ min: 3000n * one, max: 10n ** 25n }),
    fc.bigInt({ min: 0n, max: one }),
    fc.array(fc.nat(1000), { minLength: 4, maxLength: 4 }),
  )
  .map(([order, debt, below, [a = 0, b = 0, c = 0, d = 0]]): CrsmState => {
    const part = (of: number) => (debt * BigInt(of)) / 1000n;
    const icr = order.TRGCR - (below * (order.TRGCR - one)) / one;
    const collateral = (debt * icr) / near.price;
    return {
      ...near,
      ...order,
      collateral,
      debt: debt - part(d) / 2n,
      interest: part(d) / 2n,
      debtTokenBalance: part(a) / 4n,
      yieldGains: part(b) / 4n,
      deposits: part(c),
    };
  });

test('no action creates YU: clone and pool lose what the action pays', () => {
  const held = (effect: ReturnType<typeof effectOf>, when: 'before' | 'after') =>
    effect.idle[when] + effect.yieldGains[when] + effect.deposits[when];
  fc.assert(
    fc.property(states, amount, (state, sum) => {
      const funds = state.debtTokenBalance + state.yieldGains + state.deposits - state.debtGasCompensation;
      const paid = [sum, funds, state.debt + state.interest].reduce((a, b) => (a < b ? a : b));
      fc.pre(paid > 0n);
      const effect = effectOf('repay', state, { amount: paid });
      expect(held(effect, 'before') - held(effect, 'after')).toBe(paid + state.debtGasCompensation);
      expect(effect.debt.before - effect.debt.after).toBe(paid);
      expect(effect.icr.after >= effect.icr.before).toBe(true);
      expect(effect.liquidationPrice.after <= effect.liquidationPrice.before).toBe(true);
      for (const { after } of Object.values(effect)) expect(after >= 0n).toBe(true);
      const out = effectOf('withdrawFromSP', state, { to: self, amount: sum });
      expect(held(out, 'after')).toBe(held(out, 'before'));
    }),
  );
});

function wouldRepay(state: CrsmState, sum: bigint): boolean {
  const debt = state.debt + state.interest;
  if (sum < 1n || debt <= state.minDebt || sum > debt - state.minDebt) return false;
  if (ratioOf(state.collateral, debt, state.price) > state.TRGCR) return false;
  const left = state.debtTokenBalance + state.yieldGains + state.deposits - state.debtGasCompensation - sum;
  if (left < 0n) return false;
  const ratio = ratioOf(state.collateral, debt - sum, state.price);
  return (ratio >= state.TARCR || left < one) && ratio <= state.MAX_TARCR;
}

test('the repayment bounds equal the contract’s: it accepts everything inside and refuses a wei outside', () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.oneof(states, triggered), fc.bigInt({ min: 0n, max: one }), (state, place) => {
      const range = allowedRange('repay', 'amount', state);
      if (!range) throw new Error('no range');
      const { min, max } = range;
      if (min > max) {
        for (const sum of [1n, min, max, (state.debt * place) / one]) expect(wouldRepay(state, sum)).toBe(false);
        return;
      }
      taken++;
      for (const sum of [min, max, min + ((max - min) * place) / one]) expect(wouldRepay(state, sum)).toBe(true);
      for (const sum of [min - 1n, max + 1n]) expect(wouldRepay(state, sum)).toBe(false);
    }),
    { numRuns: 1000 },
  );
  expect(taken).toBeGreaterThan(50);
});

test('every action of the panel has an effect and bounds', () => {
  const params = {
    to: other,
    amount: 1n,
    TRGCR: percent(130),
    TARCR: percent(150),
    MAX_TARCR: percent(160),
    debtGasCompensation: 1n,
  };
  for (const action of crsmActions) {
    expect(Object.keys(effectOf(action, near, params)).length, action).toBe(9);
    allowedRange(action, 'amount' as never, near);
  }
});
