import type { PositionStatRow, VaultRow } from '../../../api/statistics/contract.ts';
import { positionStatTarget, vaultTarget } from '../../commands/statistics/commands.ts';
import { api } from '../../lib/net/client.ts';
import { t, type TextKey } from '../../lib/i18n/i18n.ts';
import { statisticsShapes } from '../../commands/statistics/filters.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { Chip } from '../../lib/ui/value/chip.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import type { NamedValue, StatisticsDescription, StatisticsColumn } from './description.ts';
import { StatisticsFigure, NoValue, RatioValue } from './figure.tsx';

type ChainRow = Pick<VaultRow, 'id' | 'chainId' | 'collateral' | 'debt' | 'icr' | 'createdAt'>;

const chainId: StatisticsColumn<ChainRow> = {
  id: 'chainId',
  header: 'statistics.field.chainId',
  width: 96,
  align: 'end',
  cell: (row) => (row.chainId === 0 ? <NoValue /> : row.chainId), // no chain is configured
};
const amountColumns = (collateralName: TextKey, debtName: TextKey): readonly StatisticsColumn<ChainRow>[] => [
  {
    id: 'collateral',
    card: 'worth',
    header: collateralName,
    unit: 'BTC',
    width: 144,
    align: 'end',
    sort: 'collateral',
    cell: ({ collateral }) => <StatisticsFigure value={collateral} as="btc" />,
    whole: ({ collateral }) => <StatisticsFigure value={collateral} as="btc" alone />,
  },
  {
    id: 'debt',
    header: debtName,
    unit: 'YU',
    width: 136,
    align: 'end',
    sort: 'debt',
    cell: ({ debt }) => <StatisticsFigure value={debt} as="yu" round="up" />,
    whole: ({ debt }) => <StatisticsFigure value={debt} as="yu" round="up" alone />,
  },
  {
    id: 'icr',
    card: 'note',
    header: 'statistics.field.icr',
    width: 112,
    align: 'end',
    sort: 'icr',
    cell: ({ icr }) => <RatioValue value={icr} />,
  },
];
const createdAt: StatisticsColumn<ChainRow> = {
  id: 'createdAt',
  header: 'statistics.field.openedAt',
  width: 152,
  sort: 'createdAt',
  cell: (row) => <TimeText iso={row.createdAt} />,
};
const sumValues = (collateralName: TextKey, debtName: TextKey): readonly NamedValue[] => [
  { id: 'collateral', label: collateralName, as: 'btc' },
  { id: 'debt', label: debtName, as: 'yu', round: 'up' },
];
const vaultNames = ['statistics.field.collateral', 'statistics.field.debt'] as const;
const positionNames = ['statistics.field.btcDeposited', 'statistics.field.yuMinted'] as const;
const openedCount: NamedValue = { id: 'opened', label: 'statistics.metric.opened', as: 'count' };
const barDefinitions = (collateralName: TextKey, debtName: TextKey) =>
  [{ id: 'icr', label: 'statistics.field.icr', as: 'ratio' }, ...sumValues(collateralName, debtName)] as const;
const topByOwner = { id: 'owner', label: 'statistics.field.owner', isAddress: true } as const;

/** Open vaults. */
export const vaults: StatisticsDescription<VaultRow> = {
  name: 'vaults',
  shape: statisticsShapes.vaults,
  routes: api.vaults,
  follower: api.vaults.follower,
  toTarget: vaultTarget,
  columns: [
    {
      id: 'vaultId',
      header: 'statistics.field.vaultId',
      width: 144,
      grow: 1,
      fixed: true,
      cell: ({ vaultId }) => <Address value={vaultId} />,
      whole: ({ vaultId }) => <Address value={vaultId} whole />,
    },
    chainId,
    {
      id: 'owner',
      card: 'title',
      header: 'statistics.field.owner',
      width: 136,
      grow: 1,
      cell: ({ owner }) => <Address value={owner} />,
      whole: ({ owner }) => <OnChainLink {...evmExplorerTarget.address(owner)} />,
    },
    ...amountColumns(...vaultNames),
    { ...createdAt, card: 'state' },
  ],
  totals: sumValues(...vaultNames),
  metrics: [openedCount, ...sumValues(...vaultNames)],
  tops: [topByOwner],
  bars: barDefinitions(...vaultNames),
};

/** Open and closed positions. */
export const positionStats: StatisticsDescription<PositionStatRow> = {
  name: 'positionStats',
  shape: statisticsShapes.positionStats,
  routes: api.positionStats,
  follower: api.positionStats.follower,
  toTarget: positionStatTarget,
  columns: [
    {
      id: 'positionId',
      header: 'statistics.field.positionId',
      width: 96,
      grow: 1,
      fixed: true,
      cell: ({ positionId }) => <Address value={positionId} />,
      whole: ({ positionId }) => <Address value={positionId} whole />,
    },
    {
      id: 'address',
      card: 'title',
      header: 'statistics.field.address',
      width: 128,
      grow: 1,
      cell: ({ address }) => <Address value={address} />,
      whole: ({ address }) => <OnChainLink {...evmExplorerTarget.address(address)} />,
    },
    chainId,
    ...amountColumns(...positionNames),
    {
      id: 'liquidationPrice',
      header: 'statistics.field.liquidationPrice',
      unit: 'YU',
      width: 168,
      align: 'end',
      cell: ({ liquidationPrice }) =>
        liquidationPrice === null ? <NoValue /> : <StatisticsFigure value={liquidationPrice} as="yu" round="up" />,
      whole: ({ liquidationPrice }) =>
        liquidationPrice === null ? <NoValue /> : <StatisticsFigure value={liquidationPrice} as="yu" round="up" alone />,
    },
    {
      id: 'status',
      card: 'state',
      header: 'statistics.field.status',
      width: 96,
      cell: ({ status }) => <Chip state={status === 'open' ? 'done' : 'off'}>{t(`statistics.status.${status}`)}</Chip>,
    },
    createdAt,
  ],
  totals: sumValues(...positionNames),
  metrics: [openedCount, ...sumValues(...positionNames)],
  tops: [
    topByOwner,
    {
      id: 'status',
      label: 'statistics.field.status',
      name: (key) => (key === 'open' || key === 'closed' ? t(`statistics.status.${key}`) : key),
    },
  ],
  bars: barDefinitions(...positionNames),
};
