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
import { feedback as feedbackCommands, feedbackTarget } from '../../commands/feedback/commands.ts';
import { listArrivals } from '../../commands/lists/arrivals.ts';
import { registry } from '../../commands/app/registry.ts';
import { CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import { ArrivalsNote, createArrivalsStore, useArrivals, waitingCountText } from '../../lib/ui/list/arrivals.tsx';
import { addIcons } from '../../lib/ui/icon.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { useList } from '../../lib/ui/list/use-list.ts';
import { PictureStrip } from '../../lib/ui/value/picture-strip.tsx';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { useLazySheet } from '../../lib/ui/lazy-sheet.tsx';
import { recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { defineList, flagWords, ListScreen, withBin } from '../layout/list-screen.tsx';
import { FeedbackStatus } from './status.tsx';

registry.add(feedbackCommands, listArrivals);
addIcons({
  'arrow-up-to-line': ArrowUpToLine,
  history: History,
  layers: Layers,
  'list-checks': ListChecks,
  send: Send,
  'square-check': SquareCheck,
  'undo-2': Undo2,
});

const record = recordChunk(async () => (await import('./record.tsx')).FeedbackRecord);
const triageChunk = createChunk(() => import('./triage.tsx').then(({ Triage }) => Triage));

const columns: readonly Column<FeedbackRow>[] = [
  { id: 'time', header: 'feedback.field.time', width: 152, sort: 'createdAt', cell: (row) => <TimeText iso={row.createdAt} /> },
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

const arrivals = createArrivalsStore<FeedbackRow, FeedbackSort>({
  resource: 'feedback',
  sort: 'createdAt',
  at: ({ createdAt }) => createdAt,
  load: (input, signal) => api.feedback.list(input, { signal }),
});

const feedback = defineList({
  resource: 'feedback',
  words: { title: 'feedback.title', none: 'feedback.none', empty: 'feedback.empty' },
  sorts: ['createdAt'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: createFilters(feedbackFilters, {
    q: { label: 'list.search', placeholder: 'feedback.search' },
    processed: {
      label: 'feedback.field.status',
      words: flagWords('feedback.status.processed', 'feedback.status.untreated'),
    },
    email: { label: 'feedback.field.email' },
    createdAt: { label: 'feedback.field.time' },
  }),
  list: (input, { signal }) => arrivals.load(input, signal),
  values: api.feedback.values,
  matching: api.feedback.matching,
  columns,
  toTarget: feedbackTarget,
  open: 'feedback.open',
  copies: ({ row }) => `${row.email}\n${row.content}`,
  bulk: ['feedback.process', 'feedback.reopen', 'feedback.delete'],
});

function FeedbackList() {
  const list = useList(feedback.options);
  const arrivalCount = useArrivals(arrivals, list);
  const note = arrivalCount > 0 && (
    <ArrivalsNote>
      <CommandTrigger id="list.arrivals" label={t('arrivals.show', { n: waitingCountText(arrivalCount) })} />
    </ArrivalsNote>
  );
  return (
    <ListScreen of={feedback} list={list} note={note} record={record} commands={['feedback.bin']} primary="feedback.triage" />
  );
}

const FeedbackOrBin = withBin(FeedbackList, {
  resource: 'feedback',
  place: '/feedback',
  load: api.feedback.bin,
  textOf: ({ email, content }) => [email, content].filter((part) => typeof part === 'string').join(' · '),
});

export function Feedback() {
  const isTriage = new URLSearchParams(useSearch()).has('triage');
  const Triage = useLazySheet(triageChunk, isTriage, 'triage');
  if (!isTriage) return <FeedbackOrBin />;
  return Triage && <Triage />;
}
