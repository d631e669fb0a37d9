import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../filter.ts';
import { bitcoinFilter, valueFilter } from '../filter-kinds.ts';
import { withdrawalStatuses } from './values.ts';

/** `cooled`: ready to confirm. `hash`: of the deposit, request or confirmation. */
export const withdrawalFilters = {
  address: searchFilter,
  status: choiceFilter(withdrawalStatuses),
  cooled: flagFilter,
  toSign: flagFilter,
  amount: bitcoinFilter,
  createdAt: timeFilter,
  receiver: valueFilter(/^\w{1,100}$/),
  hash: valueFilter(/^(0x)?[\da-f]{64}$/i),
} as const;
