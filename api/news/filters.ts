import { flag, search, time } from '../filter.ts';

/** `q`: part of the title, any case. */
export const newsFilters = { q: search, shown: flag, time, createdAt: time } as const;
