import type { VisitRow } from '../../../api/statistics/contract.ts';
import { visitTarget } from '../../commands/statistics/commands.ts';
import { api } from '../../lib/net/client.ts';
import { countryName, statisticsShapes } from '../../commands/statistics/filters.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import type { StatisticsDescription } from './description.ts';
import { StatisticsFigure, NoValue } from './figure.tsx';

export const visits: StatisticsDescription<VisitRow> = {
  name: 'visits',
  shape: statisticsShapes.visits,
  routes: api.visits,
  toTarget: visitTarget,
  columns: [
    { id: 'page', header: 'statistics.field.page', width: 200, grow: 2, fixed: true, cell: ({ page }) => page },
    {
      id: 'at',
      card: 'note',
      header: 'statistics.field.at',
      width: 152,
      sort: 'at',
      fixed: true,
      cell: ({ at }) => <TimeText iso={at} />,
    },
    {
      id: 'country',
      card: 'state',
      header: 'statistics.field.country',
      width: 152,
      grow: 1,
      cell: ({ country }) => (country === null ? <NoValue /> : countryName(country)),
    },
    { id: 'chainId', header: 'statistics.field.chainId', width: 96, align: 'end', cell: ({ chainId }) => chainId ?? <NoValue /> },
    {
      id: 'btcDeposited',
      header: 'statistics.field.btcDeposited',
      unit: 'BTC',
      width: 144,
      align: 'end',
      cell: ({ btcDeposited }) => <StatisticsFigure value={btcDeposited} as="satoshi" />,
    },
    {
      id: 'yuMinted',
      header: 'statistics.field.yuMinted',
      unit: 'YU',
      width: 136,
      align: 'end',
      cell: ({ yuMinted }) => <StatisticsFigure value={yuMinted} as="yu" />,
      whole: ({ yuMinted }) => <StatisticsFigure value={yuMinted} as="yu" alone />,
    },
    {
      id: 'address',
      header: 'statistics.field.createdAddress',
      width: 136,
      cell: ({ address }) => (address === null ? <NoValue /> : <Address value={address} />),
      whole: ({ address }) => (address === null ? <NoValue /> : <OnChainLink {...evmExplorerTarget.address(address)} />),
    },
    { id: 'vaultId', header: 'statistics.field.vaultId', width: 112, cell: ({ vaultId }) => vaultId ?? <NoValue /> },
    {
      id: 'id',
      header: 'statistics.field.id',
      width: 136,
      hidden: true,
      cell: ({ id }) => <Address value={id} />,
    },
  ],
  totals: [
    { id: 'btcDeposited', label: 'statistics.field.btcDeposited', as: 'satoshi' },
    { id: 'yuMinted', label: 'statistics.field.yuMinted', as: 'yu' },
  ],
  metrics: [
    { id: 'visits', label: 'statistics.metric.visits', as: 'count' },
    { id: 'btcDeposited', label: 'statistics.field.btcDeposited', as: 'satoshi' },
    { id: 'yuMinted', label: 'statistics.field.yuMinted', as: 'yu' },
  ],
  tops: [
    { id: 'country', label: 'statistics.chart.country', name: countryName },
    { id: 'page', label: 'statistics.chart.page' },
    { id: 'chain', label: 'statistics.chart.chain' },
  ],
  bars: [{ id: 'hourOfDay', label: 'statistics.chart.byHour' }],
};
