import { flag, search, time } from '../filter.ts';

export const feedbackFilters = { q: search, processed: flag, email: search, createdAt: time } as const;
