import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import { useSearch } from 'wouter';

import { noticeFilters } from '../../../api/notices/filters.ts';
import type { NoticeRow } from '../../../api/notices/contract.ts';
import { notices as commands, noticeTarget } from '../../commands/notices/commands.ts';
import { registry } from '../../commands/app/registry.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import { addIcons } from '../../lib/ui/icon.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';
import { useList } from '../../lib/ui/list/use-list.ts';
import { ShownPhase } from '../../lib/ui/value/shown-phase.tsx';
import { SafeLink } from '../../lib/ui/value/safe-link.tsx';
import { useLazySheet } from '../../lib/ui/lazy-sheet.tsx';
import { recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { defineList, flagWords, ListScreen, timeColumn, withBin } from '../layout/list-screen.tsx';

registry.add(commands);
addIcons({ 'monitor-smartphone': MonitorSmartphone });

const record = recordChunk(async () => (await import('./record.tsx')).NoticeRecord);
const previewChunk = createChunk(() => import('./preview.tsx').then(({ NoticePreview }) => NoticePreview));

const columns: readonly Column<NoticeRow>[] = [
  {
    id: 'status',
    card: 'state',
    header: 'notices.field.status',
    width: 164,
    cell: (row) => <ShownPhase of="notices" row={row} />,
  },
  { id: 'content', header: 'notices.field.content', width: 240, grow: 4, fixed: true, cell: (row) => row.content },
  {
    id: 'platform',
    card: 'note',
    header: 'notices.field.platform',
    width: 88,
    cell: (row) => t(`notices.platform.${row.platform}`),
  },
  { id: 'link', header: 'notices.field.link', width: 140, grow: 1, cell: (row) => <SafeLink href={row.link} tabIndex={-1} /> },
  timeColumn('startsAt', 'schedule.startsAt'),
  timeColumn('endsAt', 'schedule.endsAt'),
  {
    id: 'creator',
    header: 'notices.field.creatorEmail',
    width: 160,
    grow: 1,
    cell: (row) => <span className="text-2">{row.creatorEmail || '—'}</span>,
  },
  timeColumn('createdAt', 'notices.field.createdAt', { sort: 'createdAt', hidden: true }),
  timeColumn('updatedAt', 'notices.field.updatedAt', { sort: 'updatedAt', hidden: true }),
];

const notices = defineList({
  resource: 'notices',
  words: { title: 'notices.title', none: 'notices.none', empty: 'notices.empty' },
  sorts: ['createdAt', 'updatedAt'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: createFilters(noticeFilters, {
    q: { label: 'list.search', placeholder: 'notices.search' },
    shown: {
      label: 'notices.field.status',
      words: flagWords('notices.status.shown', 'notices.status.hidden'),
    },
    platform: { label: 'notices.field.platform', words: translateUnder('notices.platform') },
    phase: { label: 'schedule.phase', words: translateUnder('schedule.phases') },
    createdAt: { label: 'notices.field.createdAt' },
  }),
  list: api.notices.list,
  values: api.notices.values,
  matching: api.notices.matching,
  columns,
  toTarget: noticeTarget,
  open: 'notices.open',
  bulk: ['notices.show', 'notices.hide', 'notices.delete'],
  fill: 'notices.add',
});

function NoticesList() {
  const previewId = new URLSearchParams(useSearch()).get('preview');
  const Preview = useLazySheet(previewChunk, previewId !== null, 'preview');
  return (
    <ListScreen of={notices} list={useList(notices.options)} record={record} commands={['notices.bin']} primary="notices.add">
      {previewId !== null && Preview && <Preview key={previewId} id={previewId} />}
    </ListScreen>
  );
}

export const Notices = withBin(NoticesList, {
  resource: 'notices',
  place: '/notices',
  load: api.notices.bin,
  textOf: ({ content }) => (typeof content === 'string' ? content : ''),
});
