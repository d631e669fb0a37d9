import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../filter.ts';
import { phases } from '../schedule.ts';
import { platforms } from './values.ts';

export const noticeFilters = {
  q: searchFilter,
  shown: flagFilter,
  platform: choiceFilter(platforms),
  phase: choiceFilter(phases),
  createdAt: timeFilter,
} as const;
