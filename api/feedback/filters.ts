import { flagFilter, searchFilter, timeFilter } from '../filter.ts';

export const feedbackFilters = { q: searchFilter, processed: flagFilter, email: searchFilter, createdAt: timeFilter } as const;
