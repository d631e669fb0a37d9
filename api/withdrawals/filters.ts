import { choice, flag, search, time } from '../filter.ts';
import { bitcoin, value } from '../filter-kinds.ts';
import { withdrawalStatuses } from './values.ts';

/** `cooled`: ready to confirm. `hash`: of the deposit, request or confirmation. */
export const withdrawalFilters = {
  address: search,
  status: choice(withdrawalStatuses),
  cooled: flag,
  toSign: flag,
  amount: bitcoin,
  createdAt: time,
  receiver: value(/^\w{1,100}$/),
  hash: value(/^(0x)?[\da-f]{64}$/i),
} as const;
