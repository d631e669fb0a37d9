import type { RecordedRow } from '../../../api/history.ts';
import { Bin } from '../../commands/ui/bin/bin.tsx';
import ArrowUpToLine from 'lucide-react/icons/arrow-up-to-line';
import History from 'lucide-react/icons/rotate-ccw-clock';
import Layers from 'lucide-react/icons/layers';
import ListChecks from 'lucide-react/icons/list-checks';
import Send from 'lucide-react/icons/send';
import SquareCheck from 'lucide-react/icons/square-check';
import Undo2 from 'lucide-react/icons/undo-2';
import { useSearch } from 'wouter';
import { feedbackFilters } from '../../../api/feedback/filters.ts';
import type { FeedbackRow, FeedbackSort } from '../../../api/feedback/contract.ts';
import { runCommand } from '../../commands/app/app.ts';
import { feedback as commands, feedbackTarget } from '../../commands/feedback/commands.ts';
import { listArrivals } from '../../commands/lists/arrivals.ts';
import { registry } from '../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import type { Target } from '../../lib/scope.ts';
import { ArrivalsNote, holdArrivals, useArrivals, waitingCountText } from '../../lib/ui/list/arrivals.tsx';
import { Empty } from '../../lib/ui/empty.tsx';
import { addIcons } from '../../lib/ui/icon.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { filtersOf } from '../../lib/ui/list/filter/filters.ts';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { PictureStrip } from '../../lib/ui/value/picture-strip.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { useLazySheet } from '../../lib/ui/lazy-sheet.tsx';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { FeedbackStatus } from './status.tsx';

registry.add(commands, listArrivals);
addIcons({
  'arrow-up-to-line': ArrowUpToLine,
  history: History,
  layers: Layers,
  'list-checks': ListChecks,
  send: Send,
  'square-check': SquareCheck,
  'undo-2': Undo2,
});

const filters = filtersOf(feedbackFilters, {
  q: { label: 'list.search', placeholder: 'feedback.search' },
  processed: {
    label: 'feedback.field.status',
    words: (processed) => t(processed === 'true' ? 'feedback.status.processed' : 'feedback.status.untreated'),
  },
  email: { label: 'feedback.field.email' },
  createdAt: { label: 'feedback.field.time' },
});

const arrivals = holdArrivals<FeedbackRow, FeedbackSort>({
  resource: 'feedback',
  sort: 'createdAt',
  at: ({ createdAt }) => createdAt,
  load: (input, signal) => api.feedback.list(input, { signal }),
});

const list = {
  resource: 'feedback',
  sorts: ['createdAt'] satisfies FeedbackSort[],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters,
  load: arrivals.load,
  values: api.feedback.values,
  matching: api.feedback.matching,
  toTarget: feedbackTarget,
  onOpen: (target: Target) => runCommand({ id: 'feedback.open' }, 'row', [target]),
  onCopy: (target: Target) => target.entity === 'feedback' && void copyText(`${target.row.email}\n${target.row.content}`),
} as const;

const record = recordChunk(async () => (await import('./record.tsx')).FeedbackRecord);
const triage = createChunk(() => import('./triage.tsx').then(({ Triage }) => Triage));

const columns: readonly Column<FeedbackRow>[] = [
  { id: 'time', header: 'feedback.field.time', width: 152, sort: 'createdAt', cell: (row) => <Time iso={row.createdAt} /> },
  { id: 'email', card: 'note', header: 'feedback.field.email', width: 190, grow: 1, cell: (row) => row.email },
  {
    id: 'pictures',
    header: 'feedback.field.pictures',
    width: 144,
    cell: (row) => row.pictures.length > 0 && <PictureStrip pictures={row.pictures} className="h-6 w-9" />,
  },
  {
    id: 'content',
    header: 'feedback.field.content',
    width: 220,
    grow: 4,
    fixed: true,
    cell: (row) => <span dir="auto">{row.content}</span>,
  },
  { id: 'status', card: 'state', header: 'feedback.field.status', width: 112, cell: (row) => <FeedbackStatus row={row} /> },
  {
    id: 'replies',
    header: 'feedback.field.replies',
    width: 72,
    align: 'end',
    hidden: true,
    cell: (row) => row.replies.length,
  },
];

const rowMenu = (row: FeedbackRow) => <RowMenu target={feedbackTarget(row)} />;

const deletedText = ({ email, content }: RecordedRow) => [email, content].filter((word) => typeof word === 'string').join(' · ');

export function Feedback() {
  const query = new URLSearchParams(useSearch());
  const isTriage = query.has('triage');
  const Reading = useLazySheet(triage, isTriage, 'triage');
  if (isTriage) return Reading && <Reading />;
  if (query.has('bin')) return <Bin resource="feedback" place="/feedback" load={api.feedback.bin} textOf={deletedText} />;
  return <FeedbackList />;
}

function FeedbackList() {
  const feedback = useList(list);
  const waiting = useArrivals(arrivals, feedback);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('feedback.title')}>
        <CommandTrigger id="feedback.bin" />
        <CommandTrigger id="feedback.triage" look="primary" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={feedback}
          columns={columns}
          label={t('feedback.title')}
          rowMenu={rowMenu}
          bulk={
            <>
              <CommandTrigger id="feedback.process" />
              <CommandTrigger id="feedback.reopen" />
              <CommandTrigger id="feedback.delete" />
            </>
          }
          note={
            waiting > 0 && (
              <ArrivalsNote>
                <CommandTrigger id="list.arrivals" label={t('arrivals.show', { n: waitingCountText(waiting) })} />
              </ArrivalsNote>
            )
          }
          empty={<Empty title={t('feedback.none')}>{t('feedback.empty')}</Empty>}
        />
      </div>
      <RecordSlot record={record} />
    </div>
  );
}
