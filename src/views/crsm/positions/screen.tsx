import type { PositionRow } from '../../../../api/crsm/contract.ts';
import { crsm as crsmCommands, positionTarget } from '../../../commands/crsm/commands.ts';
import { walletCommands as evmCommands } from '../../../commands/custody/wallet.ts';
import { registry } from '../../../commands/app/registry.ts';
import { api } from '../../../lib/net/client.ts';
import { positionShape } from '../../../commands/crsm/filters.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { useList, type Page, type PageInput } from '../../../lib/ui/list/use-list.ts';
import { recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { defineList, ListScreen, timeColumn } from '../../layout/list-screen.tsx';
import { FollowerLine } from '../follower.tsx';
import { crsmColumns, HealthChip, NoFigure, OwnerAddress, troveColumns } from '../figures.tsx';
import { noRows, getOwnAccount, ownValues, withOwner } from '../own-account.ts';
import { useFollowing } from '../use-following.ts';
import { WalletCommands } from '../wallet.tsx';

registry.add(crsmCommands, evmCommands);

const record = recordChunk(async () => (await import('./record.tsx')).PositionRecord);

const columns: readonly Column<PositionRow>[] = [
  {
    id: 'owner',
    header: 'crsm.field.owner',
    width: 220,
    grow: 1,
    fixed: true,
    cell: (row) => <OwnerAddress address={row.owner} />,
  },
  { id: 'health', header: 'crsm.field.health', width: 156, card: 'state', cell: (row) => <HealthChip row={row} /> },
  ...troveColumns<PositionRow>(),
  {
    id: 'crsm',
    header: 'crsm.field.crsm',
    width: 132,
    hidden: true,
    cell: ({ crsm }) => (crsm ? <Address value={crsm.id} /> : <NoFigure />),
  },
  ...crsmColumns<PositionRow>(({ crsm }) => crsm),
  timeColumn('openedAt', 'crsm.field.openedAt', { sort: 'openedAt', hidden: true }),
];

type Sort = (typeof positionShape.sorts)[number];

/** Puts the connected account's positions first, without duplicates. */
async function loadOwnFirst({ filter, ...input }: PageInput<Sort>, options: { signal: AbortSignal }): Promise<Page<PositionRow>> {
  const [owner, resolvedFilter] = await Promise.all([getOwnAccount(), withOwner(filter)]);
  if (!resolvedFilter) return noRows;
  const loadPositions = (ownerFilter: { owner?: string }) =>
    api.crsm.positions({ ...input, filter: { ...resolvedFilter, ...ownerFilter } }, options);
  if (resolvedFilter['owner'] !== undefined || owner === undefined || input.cursor !== null) return loadPositions({});
  const [ownPositions, allPositions] = await Promise.all([loadPositions({ owner }), loadPositions({})]);
  return { ...allPositions, rows: [...ownPositions.rows, ...allPositions.rows] };
}

const positions = defineList({
  resource: 'positions',
  words: { title: 'crsm.positions', none: 'crsm.noPositions', empty: 'crsm.emptyPositions' },
  ...positionShape,
  list: loadOwnFirst,
  values: ownValues(api.crsm.positionValues),
  columns,
  toTarget: positionTarget,
  open: 'crsm.openPosition',
  copies: ({ row }) => row.owner,
});

export function Positions() {
  const list = useList(positions.options);
  useFollowing('positions');
  return (
    <ListScreen
      of={positions}
      list={list}
      record={record}
      state={<FollowerLine />}
      tools={<WalletCommands />}
      primary="crsm.create"
    />
  );
}
