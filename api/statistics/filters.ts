import { choice, search, time } from '../filter.ts';
import { chainNumber, count, countryCode, maybe, value, wei, percent } from '../filter-kinds.ts';

export const positionStatuses = ['open', 'closed'] as const;

const country = maybe(countryCode);
const chainId = maybe(chainNumber);
const figures = { collateral: wei('YBTC'), debt: wei('YU'), icr: percent } as const;

export const visitFilters = { address: search, country, time, chainId, page: value(), vaultId: maybe() } as const;

export const walletConnectionFilters = {
  address: search,
  country,
  time,
  chainId,
  wallet: value(),
  times: count('int'),
} as const;

export const vaultFilters = { address: search, time, chainId: value(chainNumber), ...figures } as const;

export const positionStatFilters = { ...vaultFilters, status: choice(positionStatuses) } as const;

export const teamFilters = { address: search, time, yuMinted: wei('YU'), size: count('int') } as const;

export const drawFilters = {
  address: search,
  time,
  members: count('int'),
  captainBerries: count('bigint'),
  totalBerries: count('bigint'),
} as const;

export const overviewFilters = { time: { ...time, utc: true } } as const;
