import type { DrawRow, TeamRow } from '../../../api/statistics/contract.ts';
import { drawTarget, teamTarget } from '../../commands/statistics/commands.ts';
import { api } from '../../lib/net/client.ts';
import { statisticsShapes } from '../../commands/statistics/filters.ts';
import { evmExplorerTarget } from '../../lib/explorer.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { OnChainLink } from '../../lib/ui/value/explorer-link.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import type { StatisticsDescription, StatisticsColumn } from './description.ts';
import { StatisticsFigure, NoValue } from './figure.tsx';

type ImportedRow = Pick<TeamRow, 'id' | 'captain' | 'importId'>;

const captainColumn: StatisticsColumn<ImportedRow> = {
  id: 'captain',
  header: 'statistics.field.captain',
  width: 152,
  grow: 1,
  fixed: true,
  cell: (row) => <Address value={row.captain} />,
  whole: (row) => <OnChainLink {...evmExplorerTarget.address(row.captain)} />,
};
const importId: StatisticsColumn<ImportedRow> = {
  id: 'importId',
  header: 'statistics.field.importId',
  width: 136,
  hidden: true,
  cell: (row) => (row.importId === null ? <NoValue /> : <Address value={row.importId} />),
  whole: (row) => (row.importId === null ? <NoValue /> : <Address value={row.importId} whole />),
};
const topByCaptain = { id: 'captain', label: 'statistics.field.captain', isAddress: true } as const;

/** Latest import per captain. */
export const teams: StatisticsDescription<TeamRow> = {
  name: 'teams',
  shape: statisticsShapes.teams,
  routes: api.teams,
  toTarget: teamTarget,
  columns: [
    captainColumn,
    {
      id: 'yuMinted',
      card: 'worth',
      header: 'statistics.field.teamYu',
      unit: 'YU',
      width: 208,
      align: 'end',
      sort: 'yuMinted',
      fixed: true,
      cell: ({ yuMinted }) => <StatisticsFigure value={yuMinted} as="yu" />,
      whole: ({ yuMinted }) => <StatisticsFigure value={yuMinted} as="yu" alone />,
    },
    {
      id: 'size',
      card: 'state',
      header: 'statistics.field.size',
      width: 128,
      align: 'end',
      sort: 'size',
      cell: ({ size }) => <StatisticsFigure value={String(size)} as="count" />,
    },
    {
      id: 'updatedAt',
      card: 'note',
      header: 'statistics.field.updatedAt',
      width: 152,
      sort: 'updatedAt',
      cell: ({ updatedAt }) => <TimeText iso={updatedAt} />,
    },
    importId,
  ],
  totals: [
    { id: 'yuMinted', label: 'statistics.field.teamYu', as: 'yu' },
    { id: 'size', label: 'statistics.field.size', as: 'count' },
  ],
  metrics: [
    { id: 'teams', label: 'statistics.metric.teams', as: 'count' },
    { id: 'yuMinted', label: 'statistics.field.teamYu', as: 'yu' },
    { id: 'size', label: 'statistics.field.size', as: 'count' },
  ],
  tops: [topByCaptain],
  bars: [
    { id: 'size', label: 'statistics.field.size', as: 'count' },
    { id: 'yuMinted', label: 'statistics.field.teamYu', as: 'yu' },
  ],
  imports: 'teams',
};

export const draws: StatisticsDescription<DrawRow> = {
  name: 'draws',
  shape: statisticsShapes.draws,
  routes: api.draws,
  toTarget: drawTarget,
  columns: [
    {
      id: 'time',
      card: 'note',
      header: 'statistics.field.time',
      width: 152,
      sort: 'time',
      fixed: true,
      cell: ({ time }) => <TimeText iso={time} />,
    },
    { ...captainColumn, card: 'title' },
    {
      id: 'members',
      card: 'state',
      header: 'statistics.field.members',
      short: 'statistics.field.others',
      width: 232,
      align: 'end',
      sort: 'members',
      cell: ({ members }) => <StatisticsFigure value={String(members)} as="count" />,
    },
    {
      id: 'captainBerries',
      header: 'statistics.field.captainBerries',
      width: 144,
      align: 'end',
      sort: 'captainBerries',
      cell: ({ captainBerries }) => <StatisticsFigure value={captainBerries} as="count" />,
    },
    {
      id: 'totalBerries',
      card: 'worth',
      header: 'statistics.field.totalBerries',
      width: 160,
      align: 'end',
      sort: 'totalBerries',
      cell: ({ totalBerries }) => <StatisticsFigure value={totalBerries} as="count" />,
    },
    importId,
  ],
  totals: [
    { id: 'members', label: 'statistics.field.members', as: 'count' },
    { id: 'captainBerries', label: 'statistics.field.captainBerries', as: 'count' },
    { id: 'totalBerries', label: 'statistics.field.totalBerries', as: 'count' },
  ],
  metrics: [
    { id: 'draws', label: 'statistics.metric.draws', as: 'count' },
    { id: 'captainBerries', label: 'statistics.field.captainBerries', as: 'count' },
    { id: 'totalBerries', label: 'statistics.field.totalBerries', as: 'count' },
  ],
  tops: [topByCaptain],
  bars: [
    { id: 'members', label: 'statistics.field.members', as: 'count' },
    { id: 'totalBerries', label: 'statistics.field.totalBerries', as: 'count' },
  ],
  imports: 'draws',
};
