import { flagFilter, searchFilter, timeFilter } from '../filter.ts';

export const newsFilters = { q: searchFilter, shown: flagFilter, time: timeFilter, createdAt: timeFilter } as const;
