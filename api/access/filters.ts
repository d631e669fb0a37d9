import { flag, search, time } from '../filter.ts';
import { uuid, value } from '../filter-kinds.ts';

/** `q`: part of the email or description. */
export const administratorFilters = { q: search, role: value(uuid), enabled: flag, createdAt: time } as const;

/** `q`: part of the name or description. */
export const roleFilters = { q: search, createdAt: time } as const;
