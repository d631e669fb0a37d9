import { flag, search, time } from '../filter.ts';

/** `q`: part of the content. `email`: part of the address. */
export const feedbackFilters = { q: search, processed: flag, email: search, createdAt: time } as const;
