import { wad } from '../money.ts';

// Wei (18 decimals) for amounts and prices, 1e18 for 100 % in ratios.

export const noDebtRatio = 2n ** 256n - 1n;

export const mostRatio = 100n * wad;

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

/**
 * data.reason of CRSM_REFUSED. notOwner, notTroveOwner: { owner }. tooEarly: { until }. notTriggered: { icr, trigger }.
 * debtFloor: { most } debt that can be repaid. belowTarget: { least }. aboveTarget: { most }.
 */
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

/** Closer than 5 % to its trigger, a position is listed as waiting. */
export const nearTrigger = wad / 20n;

export const ratioOf = (collateral: bigint, debt: bigint, price: bigint): bigint =>
  debt === 0n ? noDebtRatio : (collateral * price) / debt;

/**
 * Price at which a trove has this ratio: with `MCR` the liquidation price, with `TRGCR` the trigger price. 0n without collateral.
 */
export const priceAt = (ratio: bigint, collateral: bigint, debt: bigint): bigint =>
  collateral === 0n ? 0n : (ratio * debt) / collateral;

export function repayFor(target: bigint, collateral: bigint, debt: bigint, price: bigint): bigint {
  const most = (collateral * price) / target;
  return debt > most ? debt - most : 0n;
}

/** (ICR − TRGCR) ÷ TRGCR, 1e18-based, negative below the trigger. Null without debt. */
export const distanceToTrigger = (icr: bigint, trigger: bigint): bigint | null =>
  icr === noDebtRatio || trigger === 0n ? null : ((icr - trigger) * wad) / trigger;

export interface Ratios {
  MCR: bigint;
  TRGCR: bigint;
  TARCR: bigint;
  MAX_TARCR: bigint;
}

export function ratioOutOfOrder({ MCR, TRGCR, TARCR, MAX_TARCR }: Ratios): 'TRGCR' | 'TARCR' | 'MAX_TARCR' | null {
  if (TRGCR <= MCR) return 'TRGCR';
  if (TARCR <= TRGCR) return 'TARCR';
  return MAX_TARCR < TARCR ? 'MAX_TARCR' : null;
}
