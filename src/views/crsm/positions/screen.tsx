import { useStore } from '@nanostores/react';
import type { PositionRow } from '../../../../api/crsm/contract.ts';
import { runCommand } from '../../../commands/app/app.ts';
import { crsm as commands, positionTarget } from '../../../commands/crsm/commands.ts';
import { walletCommands as evmCommands } from '../../../commands/custody/wallet.ts';
import { registry } from '../../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { positionShape } from '../../../commands/crsm/filters.ts';
import { $evmWallet } from '../../../lib/evm/store.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import type { Target } from '../../../lib/scope.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Amount, Percent } from '../../../lib/money/amount.tsx';
import { Empty } from '../../../lib/ui/empty.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { ListTable } from '../../../lib/ui/list/table/list-table.tsx';
import { useList, type Page, type PageInput } from '../../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Time } from '../../../lib/ui/value/time.tsx';
import { RecordSlot, recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { FollowerLine } from '../follower.tsx';
import { GainsValue, HealthChip, NoFigure, OwnerAddress, troveColumns } from '../figures.tsx';
import { ownAccount, withOwner } from '../own-account.ts';
import { useFollowing } from '../use-following.ts';
import { WalletCommands } from '../wallet.tsx';

registry.add(commands, evmCommands);

type Input = PageInput<(typeof positionShape.sorts)[number]>;

/** Puts the connected account's positions first, without duplicates. */
async function load({ filter, ...input }: Input, signal: AbortSignal): Promise<Page<PositionRow>> {
  const [owner, asked] = await Promise.all([ownAccount(), withOwner(filter)]);
  if (!asked) return { rows: [], nextCursor: null, count: { value: 0, kind: 'exact' } };
  const ask = (more: { owner?: string }) => api.crsm.positions({ ...input, filter: { ...asked, ...more } }, { signal });
  if (asked['owner'] !== undefined || owner === undefined || input.cursor !== null) return ask({});
  const [own, everyones] = await Promise.all([ask({ owner }), ask({})]);
  return { ...everyones, rows: [...own.rows, ...everyones.rows] };
}

async function values({ filter, ...input }: Parameters<typeof api.crsm.positionValues>[0], options: { signal: AbortSignal }) {
  const filterInput = await withOwner(filter);
  return filterInput ? api.crsm.positionValues({ ...input, filter: filterInput }, options) : { values: [] };
}

const list = {
  resource: 'positions',
  ...positionShape,
  load,
  values,
  toTarget: positionTarget,
  onOpen: (target: Target) => runCommand({ id: 'crsm.openPosition' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.entity === 'positions' ? target.row.owner : target.id),
} as const;

const record = recordChunk(async () => (await import('./record.tsx')).PositionRecord);

const ofClone = (
  id: 'debtGasCompensation' | 'deposits' | 'yieldGains' | 'debtTokenBalance',
  width: number,
): Column<PositionRow> => ({
  id,
  header: `crsm.field.${id}`,
  unit: 'YU',
  width,
  align: 'end',
  hidden: true,
  cell: ({ crsm }) =>
    crsm ? <Amount value={crsm[id]} places={18} show={2} round={id === 'debtGasCompensation' ? 'up' : 'down'} /> : <NoFigure />,
});

const ratio = (id: 'TRGCR' | 'TARCR' | 'MAX_TARCR'): Column<PositionRow> => ({
  id,
  header: `crsm.field.${id}`,
  width: id === 'MAX_TARCR' ? 132 : 108,
  align: 'end',
  hidden: true,
  cell: ({ crsm }) => (crsm ? <Percent value={crsm[id]} round="up" bare /> : <NoFigure />),
});

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
  ...troveColumns<PositionRow>({ named: true }),
  {
    id: 'crsm',
    header: 'crsm.field.crsm',
    width: 132,
    cell: ({ crsm }) => (crsm ? <Address value={crsm.id} /> : <NoFigure />),
  },
  ratio('TRGCR'),
  ratio('TARCR'),
  ratio('MAX_TARCR'),
  ofClone('debtGasCompensation', 188),
  ofClone('deposits', 132),
  ofClone('yieldGains', 132),
  ofClone('debtTokenBalance', 168),
  {
    id: 'collateralGains',
    hidden: true,
    header: 'crsm.field.collateralGains',
    width: 172,
    align: 'end',
    cell: ({ crsm }) => (crsm ? <GainsValue row={crsm} /> : <NoFigure />),
  },
  {
    id: 'openedAt',
    header: 'crsm.field.openedAt',
    width: 152,
    sort: 'openedAt',
    hidden: true,
    cell: (row) => <Time iso={row.openedAt} />,
  },
];

const rowMenu = (row: PositionRow) => <RowMenu target={positionTarget(row)} />;

export function Positions() {
  const positions = useList(list);
  const account = useStore($evmWallet)?.account;
  useFollowing('positions', account);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('crsm.positions')} note={<FollowerLine />}>
        <WalletCommands />
        <CommandTrigger key={account} id="crsm.create" look="primary" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={positions}
          columns={columns}
          label={t('crsm.positions')}
          rowMenu={rowMenu}
          empty={<Empty title={t('crsm.noPositions')}>{t('crsm.emptyPositions')}</Empty>}
        />
      </div>
      <RecordSlot record={record} />
    </div>
  );
}
