import type { PointsRow } from '../../../../api/rewards/points.ts';
import { runCommand } from '../../../commands/app/app.ts';
import { pointsTarget } from '../../../commands/rewards/points.ts';
import { RowMenu, CommandTrigger } from '../../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../../lib/net/client.ts';
import { copyText } from '../../../lib/clipboard.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { entryShape } from '../../../commands/rewards/points-filters.ts';
import type { Target } from '../../../lib/scope.ts';
import { Address } from '../../../lib/ui/value/address.tsx';
import { Berries } from '../../../lib/ui/value/berries.tsx';
import { Empty } from '../../../lib/ui/empty.tsx';
import type { Column } from '../../../lib/ui/list/table/columns.ts';
import { ListTable } from '../../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../../lib/ui/list/use-list.ts';
import { Time } from '../../../lib/ui/value/time.tsx';
import { EntrySource } from './source.tsx';

const list = {
  resource: 'points',
  ...entryShape,
  load: (input: Parameters<typeof api.points.list>[0], signal: AbortSignal) => api.points.list(input, { signal }),
  values: api.points.values,
  toTarget: pointsTarget,
  onOpen: (target: Target) => runCommand({ id: 'points.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.entity === 'points' ? target.row.address : target.name),
} as const;

const columns: readonly Column<PointsRow>[] = [
  { id: 'address', header: 'points.field.address', width: 136, fixed: true, cell: (row) => <Address value={row.address} /> },
  {
    id: 'berries',
    card: 'worth',
    header: 'points.field.berries',
    width: 128,
    align: 'end',
    sort: 'berries',
    fixed: true,
    cell: (row) => <Berries value={row.berries} change />,
  },
  { id: 'reason', card: 'state', header: 'points.field.reason', width: 200, grow: 3, cell: (row) => row.reason },
  { id: 'source', header: 'points.field.source', width: 148, cell: (row) => <EntrySource row={row} /> },
  {
    id: 'actor',
    header: 'points.field.actor',
    width: 160,
    grow: 1,
    cell: (row) => <span className="text-2">{row.actorEmail}</span>,
  },
  {
    id: 'createdAt',
    card: 'note',
    header: 'points.field.createdAt',
    width: 152,
    sort: 'createdAt',
    cell: (row) => <Time iso={row.createdAt} />,
  },
];

const rowMenu = (row: PointsRow) => <RowMenu target={pointsTarget(row)} />;

/** Newest first. */
export function PointsEntries() {
  const entries = useList(list);
  return (
    <ListTable
      list={entries}
      columns={columns}
      label={t('points.view.entries')}
      rowMenu={rowMenu}
      bulk={<CommandTrigger id="points.reverse" />}
      empty={
        <Empty title={t('points.none')} action={<CommandTrigger id="points.adjust" look="primary" />}>
          {t('points.empty')}
        </Empty>
      }
    />
  );
}
