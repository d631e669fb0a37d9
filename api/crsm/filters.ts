import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../filter.ts';
import { percentFilter, valueFilter, weiFilter } from '../filter-kinds.ts';

/** belowTrigger: ICR ≤ TRGCR. belowMinimum: ICR < MCR. lost: another owner. */
export const crsmHealth = ['fine', 'belowTrigger', 'belowMinimum', 'noDebt', 'lost', 'stale'] as const;

const address = valueFilter(/^0x[\da-f]{40}$/i);
const trove = { icr: percentFilter, collateral: weiFilter('YBTC'), debt: weiFilter('YU') } as const;

export const crsmFilters = {
  q: searchFilter,
  owner: address,
  health: choiceFilter(crsmHealth),
  near: flagFilter,
  ...trove,
  createdAt: timeFilter,
} as const;

export const positionFilters = { q: searchFilter, owner: address, kept: flagFilter, ...trove, openedAt: timeFilter } as const;
