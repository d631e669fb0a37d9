import type { AirdropRow } from '../../../../api/rewards/airdrops.ts';
import { airdrops as airdropCommands, airdropTarget } from '../../../commands/rewards/airdrops.ts';
import { runCommand } from '../../../commands/app/app.ts';
import { airdropsImports } from '../../../commands/imports/commands.ts';
import { registry } from '../../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { airdropShape } from '../../../commands/rewards/airdrop-filters.ts';
import { api } from '../../../lib/net/client.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { groupDigits } from '../../../lib/format.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import type { Target } from '../../../lib/scope.ts';
import { RecordSlot, recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Berries } from '../../../lib/ui/value/berries.tsx';
import { Empty } from '../../../lib/ui/empty.tsx';
import { ExportProgress } from '../../../lib/ui/list/export-progress.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { ListTable } from '../../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../../lib/ui/page.tsx';
import { Time } from '../../../lib/ui/value/time.tsx';
import { ImportZone } from '../../imports/shared/zone.tsx';

registry.add(airdropCommands, airdropsImports);

const list = {
  resource: 'airdrops',
  ...airdropShape,
  load: (input: Parameters<typeof api.airdrops.list>[0], signal: AbortSignal) => api.airdrops.list(input, { signal }),
  values: api.airdrops.values,
  matching: api.airdrops.matching,
  toTarget: airdropTarget,
  onOpen: (target: Target) => runCommand({ id: 'airdrops.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.name),
} as const;

const record = recordChunk(async () => (await import('./record.tsx')).AirdropRecord);

const count = (value: number) => <span className="tabular-nums">{groupDigits(value)}</span>;

const columns: readonly Column<AirdropRow>[] = [
  {
    id: 'address',
    header: 'airdrops.field.address',
    width: 136,
    grow: 1,
    fixed: true,
    cell: (row) => <Address value={row.address} />,
  },
  {
    id: 'berries',
    card: 'worth',
    header: 'airdrops.field.berries',
    width: 136,
    align: 'end',
    sort: 'berries',
    fixed: true,
    cell: (row) => <Berries value={row.berries} />,
  },
  {
    id: 'nftNumber',
    card: 'note',
    header: 'airdrops.field.nftNumber',
    width: 112,
    align: 'end',
    cell: (row) => count(row.nftNumber),
  },
  { id: 'nftLevel', header: 'airdrops.field.nftLevel', width: 104, align: 'end', cell: (row) => count(row.nftLevel) },
  { id: 'stage', card: 'state', header: 'airdrops.field.stage', width: 160, grow: 2, cell: (row) => row.stage },
  {
    id: 'createdAt',
    header: 'airdrops.field.createdAt',
    width: 152,
    sort: 'createdAt',
    cell: (row) => <Time iso={row.createdAt} />,
  },
  {
    id: 'updatedAt',
    header: 'airdrops.field.updatedAt',
    width: 152,
    hidden: true,
    cell: (row) => <Time iso={row.updatedAt} />,
  },
];

const rowMenu = (row: AirdropRow) => <RowMenu target={airdropTarget(row)} />;

export function Airdrops() {
  const airdrops = useList(list);
  return (
    <ImportZone kind="airdrops">
      <PageHeader title={t('airdrops.title')}>
        <ExportProgress says="airdrops.exporting" />
        <CommandTrigger id="airdrops.imports" compact />
        <CommandTrigger id="airdrops.import" />
        <CommandTrigger id="airdrops.export" />
        <CommandTrigger id="airdrops.add" look="primary" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={airdrops}
          columns={columns}
          label={t('airdrops.title')}
          rowMenu={rowMenu}
          bulk={
            <>
              <CommandTrigger id="airdrops.setLevel" />
              <CommandTrigger id="airdrops.setStage" />
              <CommandTrigger id="airdrops.delete" />
            </>
          }
          empty={
            <Empty title={t('airdrops.none')} action={<CommandTrigger id="airdrops.add" look="primary" />}>
              {t('airdrops.empty')}
            </Empty>
          }
        />
      </div>
      <RecordSlot record={record} />
    </ImportZone>
  );
}
