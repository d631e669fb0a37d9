import type { PointsRow } from '../../../../api/rewards/points.ts';
import { pointsTarget } from '../../../commands/rewards/points.ts';
import { api } from '../../../lib/net/client.ts';
import { entryShape } from '../../../commands/rewards/points-filters.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Berries } from '../../../lib/ui/value/berries.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { defineList, RecordList, timeColumn } from '../../layout/list-screen.tsx';
import { EntrySource } from './source.tsx';

const columns: readonly Column<PointsRow>[] = [
  { id: 'address', header: 'points.field.address', width: 136, fixed: true, cell: (row) => <Address value={row.address} /> },
  {
    id: 'berries',
    card: 'worth',
    header: 'points.field.berries',
    width: 128,
    align: 'end',
    sort: 'berries',
    fixed: true,
    cell: (row) => <Berries value={row.berries} change />,
  },
  { id: 'reason', card: 'state', header: 'points.field.reason', width: 200, grow: 3, cell: (row) => row.reason },
  { id: 'source', header: 'points.field.source', width: 148, cell: (row) => <EntrySource row={row} /> },
  {
    id: 'actor',
    header: 'points.field.actor',
    width: 160,
    grow: 1,
    cell: (row) => <span className="text-2">{row.actorEmail}</span>,
  },
  timeColumn('createdAt', 'points.field.createdAt', { sort: 'createdAt', card: 'note' }),
];

const entries = defineList({
  resource: 'points',
  words: { title: 'points.view.entries', none: 'points.none', empty: 'points.empty' },
  ...entryShape,
  list: api.points.list,
  values: api.points.values,
  columns,
  toTarget: pointsTarget,
  open: 'points.open',
  copies: ({ row }) => row.address,
  bulk: ['points.reverse'],
  fill: 'points.adjust',
});

/** Newest first. */
export const PointsEntries = () => <RecordList of={entries} list={useList(entries.options)} />;
