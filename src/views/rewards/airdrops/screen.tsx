import type { AirdropRow } from '../../../../api/rewards/airdrops.ts';
import { airdrops as airdropCommands, airdropTarget } from '../../../commands/rewards/airdrops.ts';
import { airdropsImports } from '../../../commands/imports/commands.ts';
import { registry } from '../../../commands/app/registry.ts';
import { airdropShape } from '../../../commands/rewards/airdrop-filters.ts';
import { api } from '../../../lib/net/client.ts';
import { groupDigits } from '../../../lib/format.ts';
import { recordChunk } from '../../../lib/ui/record/record-slot.tsx';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Berries } from '../../../lib/ui/value/berries.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { ImportTools, ImportZone } from '../../imports/shared/zone.tsx';
import { defineList, ListScreen, timeColumn } from '../../layout/list-screen.tsx';

registry.add(airdropCommands, airdropsImports);

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
  timeColumn('createdAt', 'airdrops.field.createdAt', { sort: 'createdAt' }),
  timeColumn('updatedAt', 'airdrops.field.updatedAt', { hidden: true }),
];

const airdrops = defineList({
  resource: 'airdrops',
  words: { title: 'airdrops.title', none: 'airdrops.none', empty: 'airdrops.empty' },
  ...airdropShape,
  list: api.airdrops.list,
  values: api.airdrops.values,
  matching: api.airdrops.matching,
  columns,
  toTarget: airdropTarget,
  open: 'airdrops.open',
  bulk: ['airdrops.setLevel', 'airdrops.setStage', 'airdrops.delete'],
  fill: 'airdrops.add',
});

export const Airdrops = () => (
  <ImportZone kind="airdrops">
    <ListScreen
      of={airdrops}
      list={useList(airdrops.options)}
      record={record}
      tools={<ImportTools kind="airdrops" />}
      primary="airdrops.add"
    />
  </ImportZone>
);
