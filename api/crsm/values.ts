import { wad } from '../money.ts';

// Figures of troves and CRSMs. Wei of 18 decimals for amounts and prices, 1e18 for 100 % in ratios: whole numbers, exact.

/** What a trove without debt has for a ratio: the contracts answer the largest number there is. */
export const noDebtRatio = 2n ** 256n - 1n;

/** The most a ratio may be told to be: 10,000 %. */
export const mostRatio = 100n * wad;

/** The states of one's own wallet transaction: see `crsmCall` in api/crsm/contract.ts. */
export const callStates = ['prepared', 'sent', 'done', 'failed', 'different', 'lost'] as const;

/** What the panel can have a wallet do with CRSMs. `create` is the factory's, as is `deposit`; the others are the clone's. */
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
 * Why the chain would refuse a call: data.reason of CRSM_REFUSED, with values as texts. unreachable: the chain does not answer.
 * noPrice: the call needs the price of the collateral, and the price feed fails.
 * notOwner, notTroveOwner: { owner }, `from` is another. nothingCommitted. tooEarly: { until }, a moment. notTriggered: { icr, trigger }.
 * debtFloor: { most } of debt that may be repaid. belowTarget: { least } that has to be. aboveTarget: { most } that may be.
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

/** Nearer to its trigger than this, a position waits for somebody: 1e18-based, 5 %. */
export const nearTrigger = wad / 20n;

/** ICR of a trove: collateral × price ÷ debt with its interest. */
export const ratioOf = (collateral: bigint, debt: bigint, price: bigint): bigint =>
  debt === 0n ? noDebtRatio : (collateral * price) / debt;

/** The price at which a trove has just this ratio: `MCR` gives the liquidation price, `TRGCR` the trigger price. 0n without collateral. */
export const priceAt = (ratio: bigint, collateral: bigint, debt: bigint): bigint =>
  collateral === 0n ? 0n : (ratio * debt) / collateral;

/** What has to be repaid for the ratio to reach `target`, rounded up; 0n when it is there already. */
export function repayFor(target: bigint, collateral: bigint, debt: bigint, price: bigint): bigint {
  const most = (collateral * price) / target;
  return debt > most ? debt - most : 0n;
}

/** How near a CRSM is to its trigger: (ICR − TRGCR) ÷ TRGCR, 1e18-based; below zero it has been passed. Null without debt. */
export const distanceToTrigger = (icr: bigint, trigger: bigint): bigint | null =>
  icr === noDebtRatio || trigger === 0n ? null : ((icr - trigger) * wad) / trigger;

export interface Ratios {
  MCR: bigint;
  TRGCR: bigint;
  TARCR: bigint;
  MAX_TARCR: bigint;
}

/** Which of the ratios is out of order, if one is: MCR < TRGCR < TARCR ≤ MAX_TARCR. */
export function ratioOutOfOrder({ MCR, TRGCR, TARCR, MAX_TARCR }: Ratios): 'TRGCR' | 'TARCR' | 'MAX_TARCR' | null {
  if (TRGCR <= MCR) return 'TRGCR';
  if (TARCR <= TRGCR) return 'TARCR';
  return MAX_TARCR < TARCR ? 'MAX_TARCR' : null;
}
