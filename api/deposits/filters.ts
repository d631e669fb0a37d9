import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../filter.ts';
import { bitcoinFilter } from '../filter-kinds.ts';
import { depositStatuses, mintStatuses } from './values.ts';

export const depositFilters = {
  q: searchFilter,
  status: choiceFilter(depositStatuses),
  mintStatus: choiceFilter(mintStatuses),
  blocked: flagFilter,
  amount: bitcoinFilter,
  createdAt: timeFilter,
} as const;
