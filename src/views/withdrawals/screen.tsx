import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { walletCommands as evmCommands } from '../../commands/custody/wallet.ts';
import { registry } from '../../commands/app/registry.ts';
import { withdrawals as withdrawalCommands, withdrawalTarget } from '../../commands/withdrawals/commands.ts';
import { api } from '../../lib/net/client.ts';
import { Amount } from '../../lib/money/amount.tsx';
import { recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { Address } from '../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { withFreezeBanner } from '../custody/shared/freeze-banner.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { useList } from '../../lib/ui/list/use-list.ts';
import { withdrawalShape } from '../../commands/withdrawals/filters.ts';
import { CoolingTime } from './cooling.tsx';
import { WithdrawalStatus } from './status.tsx';
import { defineList, ListScreen, timeColumn, useRefresh } from '../layout/list-screen.tsx';

registry.add(withdrawalCommands, evmCommands);

const record = recordChunk(async () => (await import('./record.tsx')).WithdrawalRecordView);

const columns: readonly Column<WithdrawalRow>[] = [
  {
    id: 'receiver',
    header: 'withdrawals.field.receiver',
    width: 132,
    fixed: true,
    cell: (row) => <Address value={row.receiver} />,
  },
  { id: 'status', header: 'withdrawals.field.status', width: 148, card: 'state', cell: (row) => <WithdrawalStatus row={row} /> },
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
  {
    id: 'coolsUntil',
    header: 'withdrawals.field.coolsUntil',
    width: 144,
    card: 'note',
    cell: (row) => <CoolingTime row={row} />,
  },
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
  timeColumn('createdAt', 'withdrawals.field.createdAt', { sort: 'createdAt' }),
];

const withdrawals = defineList({
  resource: 'withdrawals',
  words: { title: 'withdrawals.title', none: 'withdrawals.none', empty: 'withdrawals.empty' },
  ...withdrawalShape,
  list: api.withdrawals.list,
  values: api.withdrawals.values,
  columns,
  toTarget: withdrawalTarget,
  open: 'withdrawals.open',
  copies: ({ row }) => row.receiver,
  bulk: ['withdrawals.signRefund', 'withdrawals.requestRefund', 'withdrawals.confirmRefund'],
  fill: 'withdrawals.add',
});

/** Recorded and signed here, requested with the institution's wallet, updated from the chain. */
export const Withdrawals = withFreezeBanner(function WithdrawalList() {
  const list = useList(withdrawals.options);
  useRefresh('withdrawals', list.rows.some(isRefundInProgress) ? 4_000 : 20_000);
  return <ListScreen of={withdrawals} list={list} record={record} commands={['evm.connect']} primary="withdrawals.add" />;
});

const isRefundInProgress = ({ status, requestHash }: WithdrawalRow): boolean =>
  status === 'doing' || status === 'withdrawable' || (status === 'todo' && requestHash !== null);
