import type { BalanceRow } from '../../../../api/rewards/points.ts';
import { runCommand } from '../../../commands/app/app.ts';
import { balanceTarget } from '../../../commands/rewards/points.ts';
import { RowMenu, CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { balanceShape } from '../../../commands/rewards/points-filters.ts';
import type { Target } from '../../../lib/scope.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Berries } from '../../../lib/ui/value/berries.tsx';
import { Empty } from '../../../lib/ui/empty.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { ListTable } from '../../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { Time } from '../../../lib/ui/value/time.tsx';

const list = {
  resource: 'balances',
  ...balanceShape,
  load: (input: Parameters<typeof api.points.balances>[0], signal: AbortSignal) => api.points.balances(input, { signal }),
  toTarget: balanceTarget,
  onOpen: (target: Target) => runCommand({ id: 'balances.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.name),
} as const;

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
  {
    id: 'updatedAt',
    card: 'state',
    header: 'points.field.updatedAt',
    width: 152,
    sort: 'updatedAt',
    cell: (row) => <Time iso={row.updatedAt} />,
  },
];

const rowMenu = (row: BalanceRow) => <RowMenu target={balanceTarget(row)} />;

/** Highest first. */
export function Balances() {
  const balances = useList(list);
  return (
    <ListTable
      list={balances}
      columns={columns}
      label={t('points.view.balances')}
      rowMenu={rowMenu}
      empty={
        <Empty title={t('points.noBalances')} action={<CommandTrigger id="points.adjust" look="primary" />}>
          {t('points.empty')}
        </Empty>
      }
    />
  );
}
