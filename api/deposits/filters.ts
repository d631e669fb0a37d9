import { choice, flag, search, time } from '../filter.ts';
import { bitcoin } from '../filter-kinds.ts';
import { depositStatuses, mintStatuses } from './values.ts';

export const depositFilters = {
  q: search,
  status: choice(depositStatuses),
  mintStatus: choice(mintStatuses),
  blocked: flag,
  amount: bitcoin,
  createdAt: time,
} as const;
