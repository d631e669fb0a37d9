import { useEffect } from 'react';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { runCommand } from '../../commands/app/app.ts';
import { walletCommands as evmCommands } from '../../commands/custody/wallet.ts';
import { registry } from '../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { withdrawals as withdrawalCommands, withdrawalTarget } from '../../commands/withdrawals/commands.ts';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Amount } from '../../lib/money/amount.tsx';
import { refreshResources } from '../../lib/net/query.ts';
import type { Target } from '../../lib/scope.ts';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { Address } from '../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { withFreezeBanner } from '../custody/shared/freeze-banner.tsx';
import { Empty } from '../../lib/ui/empty.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { withdrawalShape } from '../../commands/withdrawals/filters.ts';
import { Cooling } from './cooling.tsx';
import { WithdrawalStatus } from './status.tsx';

registry.add(withdrawalCommands, evmCommands);

const list = {
  resource: 'withdrawals',
  ...withdrawalShape,
  load: (input: Parameters<typeof api.withdrawals.list>[0], signal: AbortSignal) => api.withdrawals.list(input, { signal }),
  values: api.withdrawals.values,
  toTarget: withdrawalTarget,
  onOpen: (target: Target) => runCommand({ id: 'withdrawals.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.entity === 'withdrawals' ? target.row.receiver : target.name),
} as const;

const record = recordChunk(async () => (await import('./record.tsx')).WithdrawalRecord);

const columns: readonly Column<WithdrawalRow>[] = [
  {
    id: 'receiver',
    header: 'withdrawals.field.receiver',
    width: 132,
    fixed: true,
    cell: (row) => <Address value={row.receiver} />,
  },
  { id: 'status', header: 'withdrawals.field.status', width: 136, card: 'state', cell: (row) => <WithdrawalStatus row={row} /> },
  {
    id: 'amount',
    header: 'withdrawals.field.amount',
    unit: 'BTC',
    width: 140,
    align: 'end',
    sort: 'amount',
    fixed: true,
    card: 'worth',
    cell: (row) => <Amount value={row.amount} places={8} />,
  },
  { id: 'address', header: 'withdrawals.field.address', width: 196, cell: (row) => <NamedAddress value={row.address} /> },
  { id: 'coolsUntil', header: 'withdrawals.field.coolsUntil', width: 144, card: 'note', cell: (row) => <Cooling row={row} /> },
  {
    id: 'nonce',
    header: 'withdrawals.field.nonce',
    width: 104,
    align: 'end',
    cell: (row) => <span className="tabular-nums">{row.nonce ?? '—'}</span>,
  },
  {
    id: 'requestHash',
    header: 'withdrawals.field.requestHash',
    width: 128,
    grow: 1,
    cell: (row) => (row.requestHash === null ? <span className="text-2">—</span> : <Address value={row.requestHash} />),
  },
  {
    id: 'createdAt',
    header: 'withdrawals.field.createdAt',
    width: 152,
    sort: 'createdAt',
    cell: (row) => <Time iso={row.createdAt} />,
  },
];

const rowMenu = (row: WithdrawalRow) => <RowMenu target={withdrawalTarget(row)} />;

/** Recorded and signed here, requested with the institution's wallet, updated from the chain. */
export const Withdrawals = withFreezeBanner(WithdrawalList);

function WithdrawalList() {
  const withdrawals = useList(list);
  useFollowing(withdrawals.rows.some(isUnderWay));
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('withdrawals.title')}>
        <CommandTrigger id="evm.connect" />
        <CommandTrigger id="withdrawals.add" look="primary" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={withdrawals}
          columns={columns}
          label={t('withdrawals.title')}
          rowMenu={rowMenu}
          bulk={
            <>
              <CommandTrigger id="withdrawals.signRefund" />
              <CommandTrigger id="withdrawals.requestRefund" />
              <CommandTrigger id="withdrawals.confirmRefund" />
            </>
          }
          empty={
            <Empty title={t('withdrawals.none')} action={<CommandTrigger id="withdrawals.add" look="primary" />}>
              {t('withdrawals.empty')}
            </Empty>
          }
        />
      </div>
      <RecordSlot record={record} />
    </div>
  );
}

const isUnderWay = ({ status, requestHash }: WithdrawalRow): boolean =>
  status === 'doing' || status === 'withdrawable' || (status === 'todo' && requestHash !== null);

/** Refreshes while visible, because the chain changes rows. */
function useFollowing(isLive: boolean): void {
  useEffect(() => {
    const timer = setInterval(
      () => {
        if (!document.hidden) void refreshResources(['withdrawals']);
      },
      isLive ? 4_000 : 20_000,
    );
    return () => clearInterval(timer);
  }, [isLive]);
}
