import type { CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';
import type { Target } from '../../lib/scope.ts';

/** A CRSM as commands aim at it. */
export const crsmTarget = (row: CrsmRow): Target<'crsms'> => ({
  entity: 'crsms',
  id: row.id,
  version: row.version,
  name: `CRSM #${row.tokenId} · ${row.id}`,
  row,
});

/** A position, kept by a CRSM or not. */
export const positionTarget = (row: PositionRow): Target<'positions'> => ({
  entity: 'positions',
  id: row.id,
  version: row.version,
  name: `#${row.troveId} · ${row.owner}`,
  row,
});
