import type {
  drawSorts,
  positionStatSorts,
  teamSorts,
  vaultSorts,
  visitSorts,
  walletConnectionSorts,
} from '../../../api/statistics/contract.ts';
import {
  drawFilters,
  positionStatFilters,
  teamFilters,
  vaultFilters,
  visitFilters,
  walletConnectionFilters,
} from '../../../api/statistics/filters.ts';
import { formatRegionName } from '../../../api/statistics/region-name.ts';
import { locale } from '../../lib/i18n/i18n.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';

export const countryName = (code: string): string => formatRegionName(code, locale());

const address = { label: 'statistics.field.address', placeholder: 'statistics.filter.address' } as const;
const owner = { label: 'statistics.field.owner', placeholder: 'statistics.filter.owner' } as const;
const countryFilter = {
  label: 'statistics.field.country',
  words: countryName,
  also: (code: string) => formatRegionName(code, locale() === 'zh-CN' ? 'en-US' : 'zh-CN'),
} as const;
const openedColumn = { label: 'statistics.field.openedAt', of: (row: { createdAt: string }) => row.createdAt } as const;
const chainId = { label: 'statistics.field.chainId' } as const;
const figureColumns = {
  collateral: { label: 'statistics.field.collateral' },
  debt: { label: 'statistics.field.debt' },
  icr: { label: 'statistics.field.icr' },
} as const;

const sortShape = <const S extends string>(sorts: readonly S[], by: NoInfer<S>) =>
  ({ sorts, defaultSort: { by, direction: 'desc' } }) as const;

export const statisticsShapes = {
  visits: {
    ...sortShape<(typeof visitSorts)[number]>(['at'], 'at'),
    filters: createFilters(visitFilters, {
      address,
      country: countryFilter,
      time: { label: 'statistics.field.at', of: (row: { at: string }) => row.at },
      chainId,
      page: { label: 'statistics.field.page' },
      vaultId: { label: 'statistics.field.vaultId' },
    }),
  },
  walletConnections: {
    ...sortShape<(typeof walletConnectionSorts)[number]>(['lastAt', 'firstAt', 'times'], 'lastAt'),
    filters: createFilters(walletConnectionFilters, {
      address,
      country: countryFilter,
      time: { label: 'statistics.field.lastAt', of: (row: { lastAt: string }) => row.lastAt },
      chainId,
      wallet: { label: 'statistics.field.wallet' },
      times: { label: 'statistics.field.times' },
    }),
  },
  vaults: {
    ...sortShape<(typeof vaultSorts)[number]>(['createdAt', 'collateral', 'debt', 'icr'], 'createdAt'),
    filters: createFilters(vaultFilters, { address: owner, time: openedColumn, chainId, ...figureColumns }),
  },
  positionStats: {
    ...sortShape<(typeof positionStatSorts)[number]>(['createdAt', 'collateral', 'debt', 'icr'], 'createdAt'),
    filters: createFilters(positionStatFilters, {
      address: owner,
      time: openedColumn,
      chainId,
      ...figureColumns,
      status: { label: 'statistics.field.status', words: translateUnder('statistics.status') },
    }),
  },
  teams: {
    ...sortShape<(typeof teamSorts)[number]>(['yuMinted', 'size', 'updatedAt'], 'yuMinted'),
    filters: createFilters(teamFilters, {
      address,
      time: { label: 'statistics.field.updatedAt', of: (row: { updatedAt: string }) => row.updatedAt },
      yuMinted: { label: 'statistics.field.yuMinted' },
      size: { label: 'statistics.field.size' },
    }),
  },
  draws: {
    ...sortShape<(typeof drawSorts)[number]>(['time', 'totalBerries', 'captainBerries', 'members'], 'time'),
    filters: createFilters(drawFilters, {
      address,
      time: { label: 'statistics.field.time' },
      members: { label: 'statistics.field.members' },
      captainBerries: { label: 'statistics.field.captainBerries' },
      totalBerries: { label: 'statistics.field.totalBerries' },
    }),
  },
} as const;
