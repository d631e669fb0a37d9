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
const crsmOnlyFigures = [
  'TRGCR',
  'TARCR',
  'MAX_TARCR',
  'debtGasCompensation',
  'pendingDebtGasCompensation',
  'deposits',
  'yieldGains',
  'debtTokenBalance',
] as const;
type TroveFigureTexts = Record<(typeof troveFigures)[number], string>;
type CrsmFigureTexts = TroveFigureTexts & Record<(typeof crsmOnlyFigures)[number] | 'id', string>;

export function parseCrsmFigures(row: CrsmFigureTexts | TroveFigureTexts): CrsmFigures {
  const toBigInt = (name: string): bigint => BigInt((row as Record<string, string>)[name] ?? '0');
  const names = 'TRGCR' in row ? [...troveFigures, ...crsmOnlyFigures] : troveFigures;
  const zeroFigures = Object.fromEntries(crsmOnlyFigures.map((name) => [name, 0n]));
  const figures = Object.fromEntries(names.map((name) => [name, toBigInt(name)]));
  return { id: 'TRGCR' in row ? row.id : '', ...zeroFigures, ...figures } as CrsmFigures;
}

interface ReceiverParams {
  to: string;
}
interface AmountParams {
  amount: bigint;
}
type RatioParams = Omit<Ratios, 'MCR'>;
interface CompensationParams {
  debtGasCompensation: bigint;
}

export interface CrsmParams {
  create: RatioParams & CompensationParams & AmountParams;
  deposit: AmountParams;
  withdrawFromSP: ReceiverParams & AmountParams;
  claimYield: ReceiverParams;
  claimAllCollateralGains: ReceiverParams;
  updateCR: RatioParams;
  commitDebtGasCompensation: CompensationParams;
  acceptDebtGasCompensation: object;
  withdraw: ReceiverParams & AmountParams;
  repay: AmountParams;
}

export const parseCrsmParams = <A extends CrsmAction>(_action: A, params: Readonly<Record<string, string>>): CrsmParams[A] =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, name === 'to' ? value : BigInt(value)]),
  ) as unknown as CrsmParams[A];

const computeDisplayedFigures = (row: CrsmFigures) => {
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
type EffectFigure = keyof ReturnType<typeof computeDisplayedFigures>;
export type CrsmEffect = Record<EffectFigure, { before: bigint; after: bigint }>;

export function computeEffect<A extends CrsmAction>(action: A, row: CrsmFigures, params: CrsmParams[A]): CrsmEffect {
  const rowAfter = { ...row, ...figureChanges[action](row, params) };
  const [before, after] = [computeDisplayedFigures(row), computeDisplayedFigures(rowAfter)];
  const names = Object.keys(before) as EffectFigure[];
  return Object.fromEntries(names.map((name) => [name, { before: before[name], after: after[name] }])) as CrsmEffect;
}

const minOf = (...values: bigint[]): bigint => values.reduce((a, b) => (b < a ? b : a));
const maxOf = (...values: bigint[]): bigint => values.reduce((a, b) => (b > a ? b : a));
const isOwnAddress = (row: CrsmFigures, to: string): boolean => to.toLowerCase() === row.id.toLowerCase();

const figureChanges: { [A in CrsmAction]: (row: CrsmFigures, params: CrsmParams[A]) => Partial<CrsmFigures> } = {
  create: (_row, { amount, ...ratios }) => ({ ...ratios, deposits: amount }),
  deposit: ({ deposits }, { amount }) => ({ deposits: deposits + amount }),
  withdrawFromSP(row, { to, amount }) {
    const depositRepaid = minOf(amount, row.deposits);
    return {
      deposits: row.deposits - depositRepaid,
      debtTokenBalance: row.debtTokenBalance + (isOwnAddress(row, to) ? depositRepaid : 0n),
    };
  },
  claimYield: (row, { to }) => ({
    yieldGains: 0n,
    debtTokenBalance: row.debtTokenBalance + (isOwnAddress(row, to) ? row.yieldGains : 0n),
  }),
  claimAllCollateralGains: () => ({}),
  updateCR: (_row, ratios) => ratios,
  commitDebtGasCompensation: (_row, { debtGasCompensation }) => ({ pendingDebtGasCompensation: debtGasCompensation }),
  acceptDebtGasCompensation: ({ pendingDebtGasCompensation }) => ({
    debtGasCompensation: pendingDebtGasCompensation,
    pendingDebtGasCompensation: 0n,
  }),
  withdraw: (row, { to, amount }) => ({ debtTokenBalance: row.debtTokenBalance - (isOwnAddress(row, to) ? 0n : amount) }),
  /** The order of Crsm.repay: idle YU, yield, deposit. Interest counts as debt. */
  repay(row, { amount }) {
    const requiredYu = amount + row.debtGasCompensation;
    const yieldGains = requiredYu > row.debtTokenBalance ? 0n : row.yieldGains;
    const idle = row.debtTokenBalance + row.yieldGains - yieldGains;
    const poolWithdrawal = maxOf(requiredYu - idle, 0n);
    const debt = row.debt + row.interest - amount;
    return {
      debt,
      interest: 0n,
      yieldGains,
      debtTokenBalance: idle + poolWithdrawal - requiredYu,
      deposits: row.deposits - poolWithdrawal,
    };
  },
};

export interface CrsmState extends CrsmFigures {
  /** minNetDebt + DEBT_GAS_COMPENSATION. */
  minDebt: bigint;
  balance: bigint;
  allowance: bigint | null;
}

/** Inclusive; `min` above `max` allows nothing. `limit` names what bounds the maximum. */
export interface CrsmRange {
  min: bigint;
  max: bigint;
  limit: 'balance' | 'allowance' | 'deposits' | 'idle' | 'trigger' | 'funds' | 'debt' | 'ratio' | null;
}

const maxWei = 10n ** 59n - 1n;
/** Crsm.sol: DUST. Below it a CRSM is spent and TARCR need not be reached. */
const dustLimit = weiPerToken;

export function computeAllowedRange<A extends CrsmAction>(
  action: A,
  field: keyof CrsmParams[A],
  state: CrsmState,
  chosenRatios: Partial<RatioParams> = {},
): CrsmRange | null {
  if (field === 'TRGCR' || field === 'TARCR' || field === 'MAX_TARCR') return computeRatioRange(field, state.MCR, chosenRatios);
  if (field === 'debtGasCompensation') return { min: 0n, max: maxWei, limit: null };
  return field === 'amount' ? (amountRanges[action]?.(state) ?? null) : null;
}

const amountRanges: Partial<Record<CrsmAction, (state: CrsmState) => CrsmRange>> = {
  create: (state) => computePayableRange(state, 0n),
  deposit: (state) => computePayableRange(state, 1n),
  withdrawFromSP: ({ deposits }) => ({ min: 1n, max: deposits, limit: 'deposits' }),
  withdraw: ({ debtTokenBalance }) => ({ min: 1n, max: debtTokenBalance, limit: 'idle' }),
  repay: computeRepayRange,
};

function computePayableRange({ balance, allowance }: CrsmState, minAmount: bigint): CrsmRange {
  if (allowance !== null && allowance < balance) return { min: minAmount, max: allowance, limit: 'allowance' };
  return { min: minAmount, max: balance, limit: 'balance' };
}

function computeRatioRange(field: keyof RatioParams, MCR: bigint, { TRGCR, TARCR, MAX_TARCR }: Partial<RatioParams>): CrsmRange {
  const trigger = TRGCR ?? MCR + 1n;
  const maxTarget = MAX_TARCR ?? maxRatio;
  if (field === 'TRGCR') return { min: MCR + 1n, max: (TARCR ?? maxTarget) - 1n, limit: 'ratio' };
  if (field === 'TARCR') return { min: trigger + 1n, max: maxTarget, limit: 'ratio' };
  return { min: TARCR ?? trigger + 1n, max: maxRatio, limit: 'ratio' };
}

function computeRepayRange(state: CrsmState): CrsmRange {
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
  const maxRepayment = minOf(bounds.debt, bounds.ratio, bounds.funds);
  const limit = maxRepayment === bounds.funds ? 'funds' : maxRepayment === bounds.debt ? 'debt' : 'ratio';
  const minRepayment = minOf(repayFor(TARCR, collateral, debt, price), funds - dustLimit + 1n);
  return { min: maxOf(minRepayment, 1n), max: maxOf(maxRepayment, 0n), limit };
}
