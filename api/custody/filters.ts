import { search, time } from '../filter.ts';

/** `q`: prefix of the address, or part of the name. */
export const institutionFilters = { q: search, createdAt: time } as const;
