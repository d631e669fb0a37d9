import { choiceFilter, searchFilter, timeFilter } from '../filter.ts';
import { chainNumber, countFilter, countryCode, nullableValue, valueFilter, weiFilter, percentFilter } from '../filter-kinds.ts';

export const positionStatuses = ['open', 'closed'] as const;

const country = nullableValue(countryCode);
const chainId = nullableValue(chainNumber);
const figures = { collateral: weiFilter('YBTC'), debt: weiFilter('YU'), icr: percentFilter } as const;

export const visitFilters = {
  address: searchFilter,
  country,
  time: timeFilter,
  chainId,
  page: valueFilter(),
  vaultId: nullableValue(),
} as const;

export const walletConnectionFilters = {
  address: searchFilter,
  country,
  time: timeFilter,
  chainId,
  wallet: valueFilter(),
  times: countFilter('int'),
} as const;

export const vaultFilters = { address: searchFilter, time: timeFilter, chainId: valueFilter(chainNumber), ...figures } as const;

export const positionStatFilters = { ...vaultFilters, status: choiceFilter(positionStatuses) } as const;

export const teamFilters = {
  address: searchFilter,
  time: timeFilter,
  yuMinted: weiFilter('YU'),
  size: countFilter('int'),
} as const;

export const drawFilters = {
  address: searchFilter,
  time: timeFilter,
  members: countFilter('int'),
  captainBerries: countFilter('bigint'),
  totalBerries: countFilter('bigint'),
} as const;

export const overviewFilters = { time: { ...timeFilter, utc: true } } as const;
