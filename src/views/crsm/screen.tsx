import { useEffect } from 'react';
import type { CrsmRow } from '../../../api/crsm/contract.ts';
import { crsm as crsmCommands, crsmTarget } from '../../commands/crsm/commands.ts';
import { walletCommands as evmCommands } from '../../commands/custody/wallet.ts';
import { registry } from '../../commands/app/registry.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { crsmShape } from '../../commands/crsm/filters.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { useList } from '../../lib/ui/list/use-list.ts';
import { recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { defineList, ListScreen, timeColumn } from '../layout/list-screen.tsx';
import { CreateCrsm } from './create.tsx';
import { FollowerLine } from './follower.tsx';
import { crsmColumns, DistanceValue, ExactAmount, HealthChip, OwnerAddress, troveColumns } from './figures.tsx';
import { noRows, ownValues, withOwner } from './own-account.ts';
import { useFollowing } from './use-following.ts';
import { WalletCommands } from './wallet.tsx';

registry.add(crsmCommands, evmCommands);

const record = recordChunk(async () => (await import('./record.tsx')).CrsmRecordView);

const columns: readonly Column<CrsmRow>[] = [
  {
    id: 'owner',
    header: 'crsm.field.owner',
    width: 140,
    grow: 1,
    fixed: true,
    cell: (row) => <OwnerAddress address={row.owner} />,
  },
  { id: 'health', header: 'crsm.field.health', width: 156, card: 'state', cell: (row) => <HealthChip row={row} /> },
  {
    id: 'distance',
    header: 'crsm.field.distance',
    width: 92,
    align: 'end',
    sort: 'distance',
    cell: (row) => <DistanceValue row={row} />,
  },
  ...troveColumns<CrsmRow>(),
  { id: 'crsm', header: 'crsm.field.crsm', width: 120, hidden: true, cell: (row) => <Address value={row.id} /> },
  ...crsmColumns<CrsmRow>((row) => row).map((column) => (column.id === 'deposits' ? { ...column, sort: 'deposits' } : column)),
  {
    id: 'tokenId',
    header: 'crsm.field.tokenId',
    width: 120,
    align: 'end',
    hidden: true,
    cell: (row) => <ExactAmount value={row.tokenId} />,
  },
  timeColumn('createdAt', 'crsm.field.createdAt', { sort: 'createdAt', hidden: true }),
];

const crsms = defineList({
  resource: 'crsms',
  words: { title: 'crsm.title', none: 'crsm.none', empty: 'crsm.empty' },
  ...crsmShape,
  list: async ({ filter, ...input }, options) => {
    const resolvedFilter = await withOwner(filter);
    return resolvedFilter ? api.crsm.list({ ...input, filter: resolvedFilter }, options) : noRows;
  },
  values: ownValues(api.crsm.values),
  columns,
  toTarget: crsmTarget,
  open: 'crsm.open',
  copies: ({ id }) => id,
  bulk: ['crsm.claimYield', 'crsm.claimAllCollateralGains', 'crsm.updateData'],
  fill: 'go.positionList',
});

/** Nearest to its trigger first. The holder of a CRSM's token manages it, from their own wallet. */
export function Crsms() {
  const list = useList(crsms.options);
  useFollowing('crsms');
  useEffect(() => {
    record.load().catch(() => {}); // likely to be opened soon
  }, []);
  return (
    <ListScreen
      of={crsms}
      list={list}
      record={record}
      state={<FollowerLine />}
      tools={
        <>
          <WalletCommands />
          <CommandTrigger id="crsm.updateData" />
          <CreateCrsm />
        </>
      }
    />
  );
}
