import { search, time } from '../filter.ts';

/** `q`: beginning of the address, or part of the name; any case. */
export const institutionFilters = { q: search, createdAt: time } as const;
