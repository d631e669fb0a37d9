import type { CrsmRow, PositionRow } from './contract.ts';
import type { crsmHealth } from './filters.ts';

export function healthOf(row: CrsmRow | PositionRow): (typeof crsmHealth)[number] {
  if (row.stale) return 'stale';
  const crsm = 'TRGCR' in row ? row : row.crsm;
  if ('TRGCR' in row && !row.isTrovesOwner) return 'lost';
  if (row.icr === null) return 'noDebt';
  if (BigInt(row.icr) < BigInt(row.MCR)) return 'belowMinimum';
  return crsm && BigInt(row.icr) <= BigInt(crsm.TRGCR) ? 'belowTrigger' : 'fine';
}
