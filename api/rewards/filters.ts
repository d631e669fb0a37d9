import { choice, search, time } from '../filter.ts';
import { count, value } from '../filter-kinds.ts';

export const pointsSources = ['adjustment', 'import', 'reversal'] as const;

export const pointsFilters = {
  address: search,
  createdAt: time,
  source: choice(pointsSources),
  sign: choice(['plus', 'minus']),
  berries: count('bigint'),
  q: search,
} as const;

export const balanceFilters = { address: search, berries: count('bigint'), updatedAt: time } as const;

export const airdropFilters = {
  address: search,
  stage: value(),
  nftLevel: value(/^\d{1,9}$/),
  berries: count('bigint'),
  createdAt: time,
} as const;
