import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { runCommand } from '../../commands/app/app.ts';
import { crsm as commands, crsmTarget } from '../../commands/crsm/commands.ts';
import { walletCommands as evmCommands } from '../../commands/custody/wallet.ts';
import { registry } from '../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { crsmShape } from '../../commands/crsm/filters.ts';
import { $evmWallet } from '../../lib/evm/store.ts';
import { t } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { Amount, Percent } from '../../lib/money/amount.tsx';
import { Empty } from '../../lib/ui/empty.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import { useList, type PageInput } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { FollowerLine } from './follower.tsx';
import { DistanceValue, ExactAmount, GainsValue, HealthChip, OwnerAddress, troveColumns } from './figures.tsx';
import { withOwner } from './own-account.ts';
import { useFollowing } from './use-following.ts';
import { WalletCommands } from './wallet.tsx';

registry.add(commands, evmCommands);

type Input = PageInput<(typeof crsmShape.sorts)[number]>;

const list = {
  resource: 'crsms',
  ...crsmShape,
  load: async ({ filter, ...input }: Input, signal: AbortSignal) => {
    const filterInput = await withOwner(filter);
    return filterInput ? api.crsm.list({ ...input, filter: filterInput }, { signal }) : nobodys;
  },
  values: async ({ filter, ...input }: Parameters<typeof api.crsm.values>[0], options: { signal: AbortSignal }) => {
    const filterInput = await withOwner(filter);
    return filterInput ? api.crsm.values({ ...input, filter: filterInput }, options) : { values: [] };
  },
  toTarget: crsmTarget,
  onOpen: (target: Target) => runCommand({ id: 'crsm.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.id),
} as const;

/** Without a wallet, `mine` matches nothing. */
const nobodys = { rows: [], nextCursor: null, prevCursor: null, count: { value: 0, kind: 'exact' as const } };

const record = recordChunk(async () => (await import('./record.tsx')).CrsmRecordView);

const ofClone = (id: 'debtGasCompensation' | 'deposits' | 'yieldGains' | 'debtTokenBalance', width: number): Column<CrsmRow> => ({
  id,
  header: `crsm.field.${id}`,
  unit: 'YU',
  width,
  align: 'end',
  hidden: true,
  ...(id === 'deposits' && { sort: 'deposits' }),
  cell: (row) => <Amount value={row[id]} places={18} show={2} round={id === 'debtGasCompensation' ? 'up' : 'down'} />,
});

const ratio = (id: 'TRGCR' | 'TARCR' | 'MAX_TARCR'): Column<CrsmRow> => ({
  id,
  header: `crsm.field.${id}`,
  width: id === 'MAX_TARCR' ? 132 : 108,
  align: 'end',
  hidden: true,
  cell: (row) => <Percent value={row[id]} round="up" bare />,
});

const columns: readonly Column<CrsmRow>[] = [
  { id: 'owner', header: 'crsm.field.owner', width: 220, fixed: true, cell: (row) => <OwnerAddress address={row.owner} /> },
  { id: 'health', header: 'crsm.field.health', width: 156, card: 'state', cell: (row) => <HealthChip row={row} /> },
  {
    id: 'distance',
    header: 'crsm.field.distance',
    width: 108,
    align: 'end',
    sort: 'distance',
    cell: (row) => <DistanceValue row={row} />,
  },
  ...troveColumns<CrsmRow>(),
  { id: 'crsm', header: 'crsm.field.crsm', width: 120, cell: (row) => <Address value={row.id} /> },
  ratio('TRGCR'),
  ratio('TARCR'),
  ratio('MAX_TARCR'),
  ofClone('debtGasCompensation', 188),
  ofClone('deposits', 140),
  ofClone('yieldGains', 132),
  ofClone('debtTokenBalance', 168),
  {
    id: 'collateralGains',
    hidden: true,
    header: 'crsm.field.collateralGains',
    width: 172,
    align: 'end',
    cell: (row) => <GainsValue row={row} />,
  },
  {
    id: 'tokenId',
    header: 'crsm.field.tokenId',
    width: 120,
    align: 'end',
    hidden: true,
    cell: (row) => <ExactAmount value={row.tokenId} />,
  },
  {
    id: 'createdAt',
    header: 'crsm.field.createdAt',
    width: 152,
    sort: 'createdAt',
    hidden: true,
    cell: (row) => <Time iso={row.createdAt} />,
  },
];

const rowMenu = (row: CrsmRow) => <RowMenu target={crsmTarget(row)} />;

/** Nearest to its trigger first. The holder of a CRSM's token manages it, from their own wallet. */
export function Crsms() {
  const crsms = useList(list);
  const account = useStore($evmWallet)?.account;
  useFollowing('crsms', account);
  useEffect(() => {
    record.load().catch(() => {}); // likely to be opened soon
  }, []);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('crsm.title')} note={<FollowerLine />}>
        <CommandTrigger id="crsm.updateData" />
        <WalletCommands />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={crsms}
          columns={columns}
          label={t('crsm.title')}
          rowMenu={rowMenu}
          bulk={
            <span key={account} className="contents">
              <CommandTrigger id="crsm.claimYield" />
              <CommandTrigger id="crsm.claimAllCollateralGains" />
              <CommandTrigger id="crsm.updateData" />
            </span>
          }
          empty={
            <Empty title={t('crsm.none')} action={<CommandTrigger id="go.positionList" look="primary" />}>
              {t('crsm.empty')}
            </Empty>
          }
        />
      </div>
      <RecordSlot record={record} />
    </div>
  );
}
