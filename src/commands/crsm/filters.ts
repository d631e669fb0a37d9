import { choose, flag, search } from '../../lib/ui/list/filter/filters.ts';

const whose = choose('crsm.filter.whose', [{ value: 'mine', label: 'crsm.filter.mine' }]);

/** What the CRSMs are filtered and sorted by: nearest to its trigger first. */
export const crsmShape = {
  sorts: ['distance', 'icr', 'collateral', 'debt', 'deposits', 'createdAt'],
  defaultSort: { by: 'distance', direction: 'asc' },
  filters: {
    q: search('crsm.search'),
    whose,
    health: choose('crsm.field.health', [
      { value: 'belowMinimum', label: 'crsm.health.belowMinimum' },
      { value: 'belowTrigger', label: 'crsm.health.belowTrigger' },
      { value: 'fine', label: 'crsm.health.fine' },
    ]),
  },
} as const;

/** What the positions are filtered and sorted by: nearest to liquidation first. */
export const positionShape = {
  sorts: ['icr', 'collateral', 'debt', 'openedAt'],
  defaultSort: { by: 'icr', direction: 'asc' },
  filters: {
    q: search('crsm.search'),
    whose,
    kept: flag('crsm.filter.kept', 'crsm.filter.isKept', 'crsm.filter.notKept'),
  },
} as const;
