import { choice, flag, search, time } from '../filter.ts';
import { bitcoin, value } from '../filter-kinds.ts';
import { withdrawalStatuses } from './values.ts';

/**
 * `toSign`: whether it waits for the signature of the person who asks. `address`: its beginning, any case. `cooled`: whether it has cooled and waits to be confirmed. `hash`: the whole hash of the deposit, or of a transaction of the request or its
 * confirmation; with 0x or without.
 */
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
