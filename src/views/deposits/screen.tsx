import { depositFilters } from '../../../api/deposits/filters.ts';
import type { DepositRow } from '../../../api/deposits/contract.ts';
import { registry } from '../../commands/app/registry.ts';
import { deposits as depositCommands, depositTarget } from '../../commands/deposits/commands.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Amount } from '../../lib/money/amount.tsx';
import { api } from '../../lib/net/client.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { useList } from '../../lib/ui/list/use-list.ts';
import { recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { Address } from '../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { withFreezeBanner } from '../custody/shared/freeze-banner.tsx';
import { defineList, ListScreen, timeColumn, useRefresh } from '../layout/list-screen.tsx';
import { DepositStatus, MintStatus } from './status.tsx';

registry.add(depositCommands);

const columns: readonly Column<DepositRow>[] = [
  {
    id: 'userAddress',
    header: 'deposits.field.userAddress',
    width: 168,
    fixed: true,
    cell: (row) => <NamedAddress value={row.userAddress} />,
  },
  {
    id: 'status',
    header: 'deposits.field.status',
    width: 140,
    fixed: true,
    card: 'state',
    cell: (row) => <DepositStatus row={row} />,
  },
  {
    id: 'mintStatus',
    header: 'deposits.field.mintStatus',
    width: 112,
    fixed: true,
    card: 'note',
    cell: (row) => <MintStatus row={row} />,
  },
  {
    id: 'amount',
    header: 'deposits.field.amount',
    unit: 'BTC',
    width: 148,
    align: 'end',
    sort: 'amount',
    fixed: true,
    card: 'worth',
    cell: (row) => <Amount value={row.amount} places={8} />,
  },
  {
    id: 'coboAddress',
    header: 'deposits.field.coboAddress',
    width: 120,
    cell: (row) => <NamedAddress value={row.coboAddress} />,
  },
  {
    id: 'txid',
    header: 'deposits.field.output',
    width: 140,
    cell: (row) => (
      <>
        <Address value={row.txid} />
        <span className="font-mono text-meta text-2">:{row.vout}</span>
      </>
    ),
  },
  { id: 'type', header: 'deposits.field.type', width: 68, cell: (row) => t(`deposits.type.${row.type}`) },
  timeColumn('lockTime', 'deposits.field.lockTime', { width: 144 }),
  {
    id: 'remarks',
    header: 'deposits.field.remarks',
    width: 88,
    grow: 1,
    cell: (row) => <span className="text-2">{row.remarks}</span>,
  },
  {
    id: 'createdEmail',
    header: 'deposits.field.createdEmail',
    width: 160,
    hidden: true,
    cell: (row) => <span className="text-2">{row.createdEmail}</span>,
  },
  timeColumn('createdAt', 'deposits.field.createdAt', { sort: 'createdAt', hidden: true }),
];

const deposits = defineList({
  resource: 'deposits',
  words: { title: 'deposits.title', none: 'deposits.none', empty: 'deposits.empty' },
  list: api.deposits.list,
  values: api.deposits.values,
  sorts: ['createdAt', 'amount'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: createFilters(depositFilters, {
    q: { label: 'list.search', placeholder: 'deposits.search' },
    status: { label: 'deposits.field.status', words: translateUnder('deposits.status') },
    mintStatus: { label: 'deposits.field.mintStatus', words: translateUnder('deposits.mintStatus') },
    blocked: { label: 'deposits.field.blocked' },
    amount: { label: 'deposits.field.amount' },
    createdAt: { label: 'deposits.field.createdAt' },
  }),
  columns,
  toTarget: depositTarget,
  open: 'deposits.open',
  copies: ({ row }) => `${row.txid}:${row.vout}`,
  bulk: ['deposits.delete'],
  fill: 'deposits.add',
});

const record = recordChunk(async () => (await import('./record.tsx')).DepositRecordView);

/** Recorded by one person, confirmed by another, minted by the server. */
export const Deposits = withFreezeBanner(function DepositList() {
  const list = useList(deposits.options);
  useRefresh('deposits', list.rows.some(isMintInProgress) ? 3_000 : null);
  return <ListScreen of={deposits} list={list} record={record} primary="deposits.add" />;
});

const isMintInProgress = ({ mintStatus }: DepositRow): boolean => mintStatus === 'queued' || mintStatus === 'sent';
