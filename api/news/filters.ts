import { choiceFilter, flagFilter, searchFilter, timeFilter } from '../filter.ts';
import { phases } from '../schedule.ts';
import { coverages } from './language.ts';

export const newsFilters = {
  q: searchFilter,
  shown: flagFilter,
  phase: choiceFilter(phases),
  coverage: choiceFilter(coverages),
  time: timeFilter,
  createdAt: timeFilter,
} as const;
