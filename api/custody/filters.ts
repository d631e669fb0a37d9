import { search, time } from '../filter.ts';

export const institutionFilters = { q: search, createdAt: time } as const;
