import { weiPerToken } from '../money.ts';
import { type CrsmAction, maxRatio, priceAt, ratioOf, type Ratios, repayFor } from './values.ts';

export interface CrsmFigures extends Ratios {
  id: string;
  collateral: bigint;
  debt: bigint;
  interest: bigint;
  price: bigint;
  debtGasCompensation: bigint;
  pendingDebtGasCompensation: bigint;
  deposits: bigint;
  yieldGains: bigint;
  debtTokenBalance: bigint;
}

const troveFigures = ['collateral', 'debt', 'interest', 'price', 'MCR'] as const;
const ownFigures = [
  'TRGCR',
  'TARCR',
  'MAX_TARCR',
  'debtGasCompensation',
  'pendingDebtGasCompensation',
  'deposits',
  'yieldGains',
  'debtTokenBalance',
] as const;
type TroveText = Record<(typeof troveFigures)[number], string>;
type CrsmText = TroveText & Record<(typeof ownFigures)[number] | 'id', string>;

export function crsmFigures(row: CrsmText | TroveText): CrsmFigures {
  const whole = (name: string): bigint => BigInt((row as Record<string, string>)[name] ?? '0');
  const names = 'TRGCR' in row ? [...troveFigures, ...ownFigures] : troveFigures;
  const none = Object.fromEntries(ownFigures.map((name) => [name, 0n]));
  const figures = Object.fromEntries(names.map((name) => [name, whole(name)]));
  return { id: 'TRGCR' in row ? row.id : '', ...none, ...figures } as CrsmFigures;
}

interface To {
  to: string;
}
interface Amount {
  amount: bigint;
}
type Targets = Omit<Ratios, 'MCR'>;
interface Reward {
  debtGasCompensation: bigint;
}

export interface CrsmParams {
  create: Targets & Reward & Amount;
  deposit: Amount;
  withdrawFromSP: To & Amount;
  claimYield: To;
  claimAllCollateralGains: To;
  updateCR: Targets;
  commitDebtGasCompensation: Reward;
  acceptDebtGasCompensation: object;
  withdraw: To & Amount;
  repay: Amount;
}

export const paramsOf = <A extends CrsmAction>(_action: A, params: Readonly<Record<string, string>>): CrsmParams[A] =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, name === 'to' ? value : BigInt(value)]),
  ) as unknown as CrsmParams[A];

const shownOf = (row: CrsmFigures) => {
  const debt = row.debt + row.interest;
  return {
    deposits: row.deposits,
    idle: row.debtTokenBalance,
    yieldGains: row.yieldGains,
    debt,
    icr: ratioOf(row.collateral, debt, row.price),
    liquidationPrice: priceAt(row.MCR, row.collateral, debt),
    triggerPrice: priceAt(row.TRGCR, row.collateral, debt),
    debtGasCompensation: row.debtGasCompensation,
    pendingDebtGasCompensation: row.pendingDebtGasCompensation,
  };
};
type EffectFigure = keyof ReturnType<typeof shownOf>;
export type CrsmEffect = Record<EffectFigure, { before: bigint; after: bigint }>;

export function effectOf<A extends CrsmAction>(action: A, row: CrsmFigures, params: CrsmParams[A]): CrsmEffect {
  const changed = { ...row, ...changes[action](row, params) };
  const [before, after] = [shownOf(row), shownOf(changed)];
  const names = Object.keys(before) as EffectFigure[];
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }])) as CrsmEffect;
}

const min = (...values: bigint[]): bigint => values.reduce((a, b) => (b < a ? b : a));
const max = (...values: bigint[]): bigint => values.reduce((a, b) => (b > a ? b : a));
const isItself = (row: CrsmFigures, to: string): boolean => to.toLowerCase() === row.id.toLowerCase();

const changes: { [A in CrsmAction]: (row: CrsmFigures, params: CrsmParams[A]) => Partial<CrsmFigures> } = {
  create: (_row, { amount, ...rest }) => ({ ...rest, deposits: amount }),
  deposit: ({ deposits }, { amount }) => ({ deposits: deposits + amount }),
  withdrawFromSP(row, { to, amount }) {
    const repaid = min(amount, row.deposits);
    return { deposits: row.deposits - repaid, debtTokenBalance: row.debtTokenBalance + (isItself(row, to) ? repaid : 0n) };
  },
  claimYield: (row, { to }) => ({
    yieldGains: 0n,
    debtTokenBalance: row.debtTokenBalance + (isItself(row, to) ? row.yieldGains : 0n),
  }),
  claimAllCollateralGains: () => ({}),
  updateCR: (_row, ratios) => ratios,
  commitDebtGasCompensation: (_row, { debtGasCompensation }) => ({ pendingDebtGasCompensation: debtGasCompensation }),
  acceptDebtGasCompensation: ({ pendingDebtGasCompensation }) => ({
    debtGasCompensation: pendingDebtGasCompensation,
    pendingDebtGasCompensation: 0n,
  }),
  withdraw: (row, { to, amount }) => ({ debtTokenBalance: row.debtTokenBalance - (isItself(row, to) ? 0n : amount) }),
  /** The order of Crsm.repay: idle YU, yield, deposit. Interest counts as debt. */
  repay(row, { amount }) {
    const need = amount + row.debtGasCompensation;
    const yieldGains = need > row.debtTokenBalance ? 0n : row.yieldGains;
    const idle = row.debtTokenBalance + row.yieldGains - yieldGains;
    const fromPool = max(need - idle, 0n);
    const debt = row.debt + row.interest - amount;
    return { debt, interest: 0n, yieldGains, debtTokenBalance: idle + fromPool - need, deposits: row.deposits - fromPool };
  },
};

export interface CrsmState extends CrsmFigures {
  /** minNetDebt + DEBT_GAS_COMPENSATION. */
  minDebt: bigint;
  balance: bigint;
  allowance: bigint | null;
}

/** Inclusive; `least` above `most` allows nothing. `limit` names what bounds the maximum. */
export interface CrsmRange {
  min: bigint;
  max: bigint;
  limit: 'balance' | 'allowance' | 'deposits' | 'idle' | 'trigger' | 'funds' | 'debt' | 'ratio' | null;
}

const maxWei = 10n ** 59n - 1n;
/** Crsm.sol: DUST. Below it a CRSM is spent and TARCR need not be reached. */
const dust = weiPerToken;

export function allowedRange<A extends CrsmAction>(
  action: A,
  field: keyof CrsmParams[A],
  state: CrsmState,
  chosen: Partial<Targets> = {},
): CrsmRange | null {
  if (field === 'TRGCR' || field === 'TARCR' || field === 'MAX_TARCR') return ratioRange(field, state.MCR, chosen);
  if (field === 'debtGasCompensation') return { min: 0n, max: maxWei, limit: null };
  return field === 'amount' ? (amountRanges[action]?.(state) ?? null) : null;
}

const amountRanges: Partial<Record<CrsmAction, (state: CrsmState) => CrsmRange>> = {
  create: (state) => payable(state, 0n),
  deposit: (state) => payable(state, 1n),
  withdrawFromSP: ({ deposits }) => ({ min: 1n, max: deposits, limit: 'deposits' }),
  withdraw: ({ debtTokenBalance }) => ({ min: 1n, max: debtTokenBalance, limit: 'idle' }),
  repay: repayRange,
};

function payable({ balance, allowance }: CrsmState, from: bigint): CrsmRange {
  if (allowance !== null && allowance < balance) return { min: from, max: allowance, limit: 'allowance' };
  return { min: from, max: balance, limit: 'balance' };
}

function ratioRange(field: keyof Targets, MCR: bigint, { TRGCR, TARCR, MAX_TARCR }: Partial<Targets>): CrsmRange {
  const trigger = TRGCR ?? MCR + 1n;
  const last = MAX_TARCR ?? maxRatio;
  if (field === 'TRGCR') return { min: MCR + 1n, max: (TARCR ?? last) - 1n, limit: 'ratio' };
  if (field === 'TARCR') return { min: trigger + 1n, max: last, limit: 'ratio' };
  return { min: TARCR ?? trigger + 1n, max: maxRatio, limit: 'ratio' };
}

function repayRange(state: CrsmState): CrsmRange {
  const { collateral, price, TRGCR, TARCR, MAX_TARCR } = state;
  const debt = state.debt + state.interest;
  if (ratioOf(collateral, debt, price) > TRGCR) return { min: 1n, max: 0n, limit: 'trigger' };
  const funds = state.debtTokenBalance + state.yieldGains + state.deposits - state.debtGasCompensation;
  const bounds = {
    debt: debt - state.minDebt,
    // Ratios round down.
    ratio: debt - (collateral * price) / (MAX_TARCR + 1n) - 1n,
    funds,
  };
  const upper = min(bounds.debt, bounds.ratio, bounds.funds);
  const limit = upper === bounds.funds ? 'funds' : upper === bounds.debt ? 'debt' : 'ratio';
  const lower = min(repayFor(TARCR, collateral, debt, price), funds - dust + 1n);
  return { min: max(lower, 1n), max: max(upper, 0n), limit };
}
