import type { CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    crsms: CrsmRow;
    positions: PositionRow;
  }
}

export const crsmTarget = targetOf('crsms', ({ id, tokenId }) => `CRSM #${tokenId} · ${id}`);
/** A position, kept by a CRSM or not. */
export const positionTarget = targetOf('positions', ({ troveId, owner }) => `#${troveId} · ${owner}`);

export const records = {
  crsms: {
    target: crsmTarget,
    place: '/CRSMTrove/CRSMList',
    read: ({ crsm }, ids) => crsm.many({ ids }),
    open: 'crsm.open',
    by: ['address'],
    find: async ({ crsm }, q) => (await crsm.list({ ...newest, filter: { q } })).rows,
  },
  positions: {
    target: positionTarget,
    place: '/CRSMTrove/positionList',
    read: ({ crsm }, ids) => crsm.manyPositions({ ids }),
    open: 'crsm.openPosition',
    by: ['address'],
    find: async ({ crsm }, q) => (await crsm.positions({ ...newest, sort: 'openedAt', filter: { q } })).rows,
  },
} as const satisfies RecordKinds;
