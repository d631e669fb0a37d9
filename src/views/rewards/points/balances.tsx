import type { BalanceRow } from '../../../../api/rewards/points.ts';
import { balanceTarget } from '../../../commands/rewards/points.ts';
import { api } from '../../../lib/net/client.ts';
import { groupDigits } from '../../../lib/format.ts';
import { balanceShape } from '../../../commands/rewards/points-filters.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Berries } from '../../../lib/ui/value/berries.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { defineList, RecordList, timeColumn } from '../../layout/list-screen.tsx';

const columns: readonly Column<BalanceRow>[] = [
  {
    id: 'address',
    header: 'points.field.address',
    width: 340,
    grow: 1,
    fixed: true,
    sort: 'address',
    cell: (row) => <Address value={row.address} whole />,
  },
  {
    id: 'berries',
    card: 'worth',
    header: 'points.field.balance',
    width: 160,
    align: 'end',
    sort: 'berries',
    fixed: true,
    cell: (row) => <Berries value={row.berries} />,
  },
  {
    id: 'entries',
    card: 'note',
    header: 'points.field.entries',
    width: 96,
    align: 'end',
    cell: (row) => <span className="tabular-nums">{groupDigits(row.entries)}</span>,
  },
  timeColumn('updatedAt', 'points.field.updatedAt', { sort: 'updatedAt', card: 'state' }),
];

const balances = defineList({
  resource: 'balances',
  words: { title: 'points.view.balances', none: 'points.noBalances', empty: 'points.empty' },
  ...balanceShape,
  list: api.points.balances,
  columns,
  toTarget: balanceTarget,
  open: 'balances.open',
  fill: 'points.adjust',
});

/** Highest first. */
export const Balances = () => <RecordList of={balances} list={useList(balances.options)} />;
