import { choice, flag, search, time } from '../filter.ts';
import { percent, value, wei } from '../filter-kinds.ts';

/** belowTrigger: ICR ≤ TRGCR. belowMinimum: ICR < MCR. lost: another owner. */
export const crsmHealth = ['fine', 'belowTrigger', 'belowMinimum', 'noDebt', 'lost', 'stale'] as const;

const address = value(/^0x[\da-f]{40}$/i);
const trove = { icr: percent, collateral: wei('YBTC'), debt: wei('YU') } as const;

export const crsmFilters = {
  q: search,
  owner: address,
  health: choice(crsmHealth),
  near: flag,
  ...trove,
  createdAt: time,
} as const;

export const positionFilters = { q: search, owner: address, kept: flag, ...trove, openedAt: time } as const;
