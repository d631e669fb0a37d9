import { weiPerToken } from '../money.ts';

export const noDebtRatio = 2n ** 256n - 1n;

export const maxRatio = 100n * weiPerToken;

export const callStates = ['prepared', 'sent', 'done', 'failed', 'different', 'lost'] as const;

export const crsmActions = [
  'create',
  'deposit',
  'withdrawFromSP',
  'claimYield',
  'claimAllCollateralGains',
  'updateCR',
  'commitDebtGasCompensation',
  'acceptDebtGasCompensation',
  'withdraw',
  'repay',
] as const;
export type CrsmAction = (typeof crsmActions)[number];

/** data.reason of CRSM_REFUSED with its fields. Amounts are wei, ratios 1e18. */
export const crsmRefusals = [
  'unreachable',
  'noPrice',
  'notOwner',
  'notTroveOwner',
  'nothingCommitted',
  'tooEarly',
  'notTriggered',
  'debtFloor',
  'belowTarget',
  'aboveTarget',
] as const;
export type CrsmRefusal = (typeof crsmRefusals)[number];

/** 5 %. */
export const nearTriggerDistance = weiPerToken / 20n;

export const ratioOf = (collateral: bigint, debt: bigint, price: bigint): bigint =>
  debt === 0n ? noDebtRatio : (collateral * price) / debt;

/** With `MCR` the liquidation price, with `TRGCR` the trigger price. 0n without collateral. */
export const priceAt = (ratio: bigint, collateral: bigint, debt: bigint): bigint =>
  collateral === 0n ? 0n : (ratio * debt) / collateral;

export function repayFor(target: bigint, collateral: bigint, debt: bigint, price: bigint): bigint {
  const maxDebt = (collateral * price) / target;
  return debt > maxDebt ? debt - maxDebt : 0n;
}

/** 1e18-based, negative below the trigger. Null without debt. */
export const distanceToTrigger = (icr: bigint, trigger: bigint): bigint | null =>
  icr === noDebtRatio || trigger === 0n ? null : ((icr - trigger) * weiPerToken) / trigger;

export interface Ratios {
  MCR: bigint;
  TRGCR: bigint;
  TARCR: bigint;
  MAX_TARCR: bigint;
}

export function findRatioOutOfOrder({ MCR, TRGCR, TARCR, MAX_TARCR }: Ratios): 'TRGCR' | 'TARCR' | 'MAX_TARCR' | null {
  if (TRGCR <= MCR) return 'TRGCR';
  if (TARCR <= TRGCR) return 'TARCR';
  return MAX_TARCR < TARCR ? 'MAX_TARCR' : null;
}
