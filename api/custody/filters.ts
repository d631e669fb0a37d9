import { searchFilter, timeFilter } from '../filter.ts';

export const institutionFilters = { q: searchFilter, createdAt: timeFilter } as const;
