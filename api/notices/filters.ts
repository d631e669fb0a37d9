import { choice, flag, search, time } from '../filter.ts';
import { phases, platforms } from './values.ts';

export const noticeFilters = {
  q: search,
  shown: flag,
  platform: choice(platforms),
  phase: choice(phases),
  createdAt: time,
} as const;
