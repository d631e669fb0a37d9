import type { CrsmRow, PositionRow } from './contract.ts';
import type { crsmHealth } from './filters.ts';

export function healthOf(row: CrsmRow | PositionRow): (typeof crsmHealth)[number] {
  if (row.stale) return 'stale';
  const keeper = 'TRGCR' in row ? row : row.crsm;
  if ('TRGCR' in row && !row.isTrovesOwner) return 'lost';
  if (row.icr === null) return 'noDebt';
  if (BigInt(row.icr) < BigInt(row.MCR)) return 'belowMinimum';
  return keeper && BigInt(row.icr) <= BigInt(keeper.TRGCR) ? 'belowTrigger' : 'fine';
}
