import { flag, search, time } from '../filter.ts';
import { uuid, value } from '../filter-kinds.ts';

export const administratorFilters = { q: search, role: value(uuid), enabled: flag, createdAt: time } as const;

export const roleFilters = { q: search, createdAt: time } as const;
