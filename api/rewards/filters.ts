import { choiceFilter, searchFilter, timeFilter } from '../filter.ts';
import { countFilter, valueFilter } from '../filter-kinds.ts';

export const pointsSources = ['adjustment', 'import', 'reversal'] as const;

export const pointsFilters = {
  address: searchFilter,
  createdAt: timeFilter,
  source: choiceFilter(pointsSources),
  sign: choiceFilter(['plus', 'minus']),
  berries: countFilter('bigint'),
  q: searchFilter,
} as const;

export const balanceFilters = { address: searchFilter, berries: countFilter('bigint'), updatedAt: timeFilter } as const;

export const airdropFilters = {
  address: searchFilter,
  stage: valueFilter(),
  nftLevel: valueFilter(/^\d{1,9}$/),
  berries: countFilter('bigint'),
  createdAt: timeFilter,
} as const;
