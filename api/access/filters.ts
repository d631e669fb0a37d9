import { flagFilter, searchFilter, timeFilter } from '../filter.ts';
import { uuidFilter, valueFilter } from '../filter-kinds.ts';

export const administratorFilters = {
  q: searchFilter,
  role: valueFilter(uuidFilter),
  enabled: flagFilter,
  createdAt: timeFilter,
} as const;

export const serviceFilters = { q: searchFilter, enabled: flagFilter, createdAt: timeFilter } as const;

export const roleFilters = { q: searchFilter, createdAt: timeFilter } as const;
