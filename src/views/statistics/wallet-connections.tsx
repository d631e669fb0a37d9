import type { WalletConnectionRow } from '../../../api/statistics/contract.ts';
import { walletConnectionTarget } from '../../commands/statistics/commands.ts';
import { api } from '../../lib/net/client.ts';
import { countryName, statisticsShapes } from '../../commands/statistics/filters.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import type { StatisticsDescription } from './description.ts';
import { StatisticsFigure, NoValue } from './figure.tsx';

export const walletConnections: StatisticsDescription<WalletConnectionRow> = {
  name: 'walletConnections',
  shape: statisticsShapes.walletConnections,
  routes: api.walletConnections,
  toTarget: walletConnectionTarget,
  columns: [
    {
      id: 'address',
      header: 'statistics.field.address',
      width: 136,
      grow: 1,
      fixed: true,
      cell: ({ address }) => <Address value={address} />,
      whole: ({ address }) => <OnChainLink {...evmExplorerTarget.address(address)} />,
    },
    { id: 'wallet', card: 'worth', header: 'statistics.field.wallet', width: 120, grow: 1, cell: ({ wallet }) => wallet },
    { id: 'chainId', header: 'statistics.field.chainId', width: 96, align: 'end', cell: ({ chainId }) => chainId ?? <NoValue /> },
    {
      id: 'country',
      card: 'state',
      header: 'statistics.field.country',
      width: 144,
      grow: 1,
      cell: ({ country }) => (country === null ? <NoValue /> : countryName(country)),
    },
    {
      id: 'firstAt',
      header: 'statistics.field.firstAt',
      width: 152,
      sort: 'firstAt',
      cell: ({ firstAt }) => <TimeText iso={firstAt} />,
    },
    {
      id: 'lastAt',
      card: 'note',
      header: 'statistics.field.lastAt',
      width: 152,
      sort: 'lastAt',
      cell: ({ lastAt }) => <TimeText iso={lastAt} />,
    },
    {
      id: 'times',
      header: 'statistics.field.times',
      width: 104,
      align: 'end',
      sort: 'times',
      cell: ({ times }) => <StatisticsFigure value={String(times)} as="count" />,
    },
  ],
  totals: [{ id: 'times', label: 'statistics.field.times', as: 'count' }],
  metrics: [
    { id: 'wallets', label: 'statistics.metric.wallets', as: 'count' },
    { id: 'new', label: 'statistics.metric.new', as: 'count' },
  ],
  tops: [
    { id: 'country', label: 'statistics.chart.country', name: countryName },
    { id: 'wallet', label: 'statistics.field.wallet' },
    { id: 'chain', label: 'statistics.chart.chain' },
  ],
  bars: [{ id: 'times', label: 'statistics.field.times', as: 'count' }],
};
