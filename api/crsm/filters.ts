import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../filter.ts';
import { percentFilter, valueFilter, weiFilter } from '../filter-kinds.ts';

/** belowTrigger: ICR ≤ TRGCR. belowMinimum: ICR < MCR. lost: another owner. */
export const crsmHealth = ['fine', 'belowTrigger', 'belowMinimum', 'noDebt', 'lost', 'stale'] as const;

const addressFilter = valueFilter(/^0x[\da-f]{40}$/i);
const troveFilters = { icr: percentFilter, collateral: weiFilter('YBTC'), debt: weiFilter('YU') } as const;

export const crsmFilters = {
  q: searchFilter,
  owner: addressFilter,
  health: choiceFilter(crsmHealth),
  near: flagFilter,
  ...troveFilters,
  createdAt: timeFilter,
} as const;

export const positionFilters = {
  q: searchFilter,
  owner: addressFilter,
  kept: flagFilter,
  ...troveFilters,
  openedAt: timeFilter,
} as const;
