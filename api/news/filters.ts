import { flag, search, time } from '../filter.ts';

export const newsFilters = { q: search, shown: flag, time, createdAt: time } as const;
