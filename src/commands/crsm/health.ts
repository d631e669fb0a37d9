import type { CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';

export type Kept = CrsmRow | PositionRow;
type Healthy = 'fine' | 'belowTrigger' | 'belowMinimum' | 'noDebt' | 'lost';

/** How near a position is to what it must not come to. */
export function healthOf(row: Kept): Healthy {
  const keeper = 'TRGCR' in row ? row : row.crsm;
  if ('TRGCR' in row && !row.isTrovesOwner) return 'lost';
  if (row.icr === null) return 'noDebt';
  if (BigInt(row.icr) < BigInt(row.MCR)) return 'belowMinimum';
  return keeper && BigInt(row.icr) <= BigInt(keeper.TRGCR) ? 'belowTrigger' : 'fine';
}
