import { flag, search, time } from '../filter.ts';

/** `q` and `email`: part of the content and of the mailbox, any case. */
export const feedbackFilters = { q: search, processed: flag, email: search, createdAt: time } as const;
