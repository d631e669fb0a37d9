import { choice, flag, search, time } from '../filter.ts';
import { percent, value, wei } from '../filter-kinds.ts';

/**
 * belowTrigger: ICR at or under TRGCR. belowMinimum: under MCR. noDebt, lost: the trove has none, or another owner. stale: its figures
 * could not be refreshed. None of the last three is any of the others.
 */
export const crsmHealth = ['fine', 'belowTrigger', 'belowMinimum', 'noDebt', 'lost', 'stale'] as const;

const address = value(/^0x[\da-f]{40}$/i);
const trove = { icr: percent, collateral: wei('YBTC'), debt: wei('YU') } as const;

/** `q`: beginning of the owner's or the CRSM's address, any case; or a whole position ID. `near`: whether it waits near its trigger. */
export const crsmFilters = {
  q: search,
  owner: address,
  health: choice(crsmHealth),
  near: flag,
  ...trove,
  createdAt: time,
} as const;

/** `kept`: whether a CRSM keeps it. */
export const positionFilters = { q: search, owner: address, kept: flag, ...trove, openedAt: time } as const;
