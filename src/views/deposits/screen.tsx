import { useEffect } from 'react';

import { depositFilters } from '../../../api/deposits/filters.ts';
import type { DepositRow, DepositSort } from '../../../api/deposits/contract.ts';
import { runCommand } from '../../commands/app/app.ts';
import { deposits as depositCommands, depositTarget } from '../../commands/deposits/commands.ts';
import { registry } from '../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { refreshResources } from '../../lib/net/query.ts';
import type { Target } from '../../lib/scope.ts';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { Address } from '../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { Amount } from '../../lib/money/amount.tsx';
import { withFreezeBanner } from '../custody/shared/freeze-banner.tsx';
import { Empty } from '../../lib/ui/empty.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { filtersOf } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { DepositStatus, MintStatus } from './status.tsx';

registry.add(depositCommands);

const list = {
  resource: 'deposits',
  sorts: ['createdAt', 'amount'] satisfies DepositSort[],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: filtersOf(depositFilters, {
    q: { label: 'list.search', placeholder: 'deposits.search' },
    status: { label: 'deposits.field.status', words: translateUnder('deposits.status') },
    mintStatus: { label: 'deposits.field.mintStatus', words: translateUnder('deposits.mintStatus') },
    blocked: { label: 'deposits.field.blocked' },
    amount: { label: 'deposits.field.amount' },
    createdAt: { label: 'deposits.field.createdAt' },
  }),
  load: (input: Parameters<typeof api.deposits.list>[0], signal: AbortSignal) => api.deposits.list(input, { signal }),
  values: api.deposits.values,
  toTarget: depositTarget,
  onOpen: (target: Target) => runCommand({ id: 'deposits.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.entity === 'deposits' ? `${target.row.txid}:${target.row.vout}` : target.name),
} as const;

const record = recordChunk(async () => (await import('./record.tsx')).DepositRecord);

const columns: readonly Column<DepositRow>[] = [
  {
    id: 'userAddress',
    header: 'deposits.field.userAddress',
    width: 200,
    fixed: true,
    cell: (row) => <NamedAddress value={row.userAddress} />,
  },
  {
    id: 'status',
    header: 'deposits.field.status',
    width: 132,
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
  { id: 'type', header: 'deposits.field.type', width: 76, hidden: true, cell: (row) => t(`deposits.type.${row.type}`) },
  { id: 'lockTime', header: 'deposits.field.lockTime', width: 144, hidden: true, cell: (row) => <Time iso={row.lockTime} /> },
  {
    id: 'remarks',
    header: 'deposits.field.remarks',
    width: 108,
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
  {
    id: 'createdAt',
    header: 'deposits.field.createdAt',
    width: 152,
    sort: 'createdAt',
    cell: (row) => <Time iso={row.createdAt} />,
  },
];

const rowMenu = (row: DepositRow) => <RowMenu target={depositTarget(row)} />;

/** Recorded by one person, confirmed by another, minted by the server. */
export const Deposits = withFreezeBanner(DepositList);

function DepositList() {
  const deposits = useList(list);
  useFollowing(deposits.rows.some(({ mintStatus }) => mintStatus === 'queued' || mintStatus === 'sent'));
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('deposits.title')}>
        <CommandTrigger id="deposits.add" look="primary" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={deposits}
          columns={columns}
          label={t('deposits.title')}
          rowMenu={rowMenu}
          bulk={<CommandTrigger id="deposits.delete" />}
          empty={
            <Empty title={t('deposits.none')} action={<CommandTrigger id="deposits.add" look="primary" />}>
              {t('deposits.empty')}
            </Empty>
          }
        />
      </div>
      <RecordSlot record={record} />
    </div>
  );
}

const intervalMs = 3_000;

/** Refreshes while a mint is in progress. */
function useFollowing(isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refreshResources(['deposits']);
    }, intervalMs);
    return () => clearInterval(timer);
  }, [isUnderWay]);
}
