import type { RecordedRow } from '../../../api/history.ts';
import { Bin, useBin } from '../../commands/ui/bin/bin.tsx';
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone';
import { useSearch } from 'wouter';

import { noticeFilters } from '../../../api/notices/filters.ts';
import type { NoticeRow, NoticeSort } from '../../../api/notices/contract.ts';
import { runCommand } from '../../commands/app/app.ts';
import { notices as commands, noticeTarget } from '../../commands/notices/commands.ts';
import { registry } from '../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import type { Target } from '../../lib/scope.ts';
import { Empty } from '../../lib/ui/empty.tsx';
import { addIcons } from '../../lib/ui/icon.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { filtersOf } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { SafeLink } from '../../lib/ui/value/safe-link.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { useLazySheet } from '../../lib/ui/lazy-sheet.tsx';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { NoticeStatus } from './status.tsx';

registry.add(commands);
addIcons({ 'monitor-smartphone': MonitorSmartphone });

const list = {
  resource: 'notices',
  sorts: ['createdAt', 'updatedAt'] satisfies NoticeSort[],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: filtersOf(noticeFilters, {
    q: { label: 'list.search', placeholder: 'notices.search' },
    shown: {
      label: 'notices.field.status',
      words: (shown) => t(shown === 'true' ? 'notices.status.shown' : 'notices.status.hidden'),
    },
    platform: { label: 'notices.field.platform', words: translateUnder('notices.platform') },
    phase: { label: 'notices.field.phase', words: translateUnder('notices.phase') },
    createdAt: { label: 'notices.field.createdAt' },
  }),
  load: (input: Parameters<typeof api.notices.list>[0], signal: AbortSignal) => api.notices.list(input, { signal }),
  values: api.notices.values,
  matching: api.notices.matching,
  toTarget: noticeTarget,
  onOpen: (target: Target) => runCommand({ id: 'notices.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.name),
} as const;

const record = recordChunk(async () => (await import('./record.tsx')).NoticeRecord);
const preview = createChunk(() => import('./preview.tsx').then(({ NoticePreview }) => NoticePreview));

const columns: readonly Column<NoticeRow>[] = [
  { id: 'status', card: 'state', header: 'notices.field.status', width: 164, cell: (row) => <NoticeStatus row={row} /> },
  { id: 'content', header: 'notices.field.content', width: 240, grow: 4, fixed: true, cell: (row) => row.content },
  {
    id: 'platform',
    card: 'note',
    header: 'notices.field.platform',
    width: 88,
    cell: (row) => t(`notices.platform.${row.platform}`),
  },
  { id: 'link', header: 'notices.field.link', width: 140, grow: 1, cell: (row) => <SafeLink href={row.link} tabIndex={-1} /> },
  { id: 'startsAt', header: 'notices.field.startsAt', width: 152, cell: (row) => <Time iso={row.startsAt} /> },
  { id: 'endsAt', header: 'notices.field.endsAt', width: 152, cell: (row) => <Time iso={row.endsAt} /> },
  {
    id: 'creator',
    header: 'notices.field.creatorEmail',
    width: 160,
    grow: 1,
    cell: (row) => <span className="text-2">{row.creatorEmail || '—'}</span>,
  },
  {
    id: 'createdAt',
    header: 'notices.field.createdAt',
    width: 152,
    sort: 'createdAt',
    hidden: true,
    cell: (row) => <Time iso={row.createdAt} />,
  },
  {
    id: 'updatedAt',
    header: 'notices.field.updatedAt',
    width: 152,
    sort: 'updatedAt',
    hidden: true,
    cell: (row) => <Time iso={row.updatedAt} />,
  },
];

const rowMenu = (row: NoticeRow) => <RowMenu target={noticeTarget(row)} />;

export function Notices() {
  return useBin() ? <Bin resource="notices" place="/notices" load={api.notices.bin} textOf={deletedText} /> : <NoticesList />;
}

const deletedText = ({ content }: RecordedRow) => (typeof content === 'string' ? content : '');

function NoticesList() {
  const notices = useList(list);
  const previewed = new URLSearchParams(useSearch()).get('preview');
  const Preview = useLazySheet(preview, previewed !== null, 'preview');
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('notices.title')}>
        <CommandTrigger id="notices.bin" />
        <CommandTrigger id="notices.add" look="primary" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={notices}
          columns={columns}
          label={t('notices.title')}
          rowMenu={rowMenu}
          bulk={
            <>
              <CommandTrigger id="notices.show" />
              <CommandTrigger id="notices.hide" />
              <CommandTrigger id="notices.delete" />
            </>
          }
          empty={
            <Empty title={t('notices.none')} action={<CommandTrigger id="notices.add" look="primary" />}>
              {t('notices.empty')}
            </Empty>
          }
        />
      </div>
      <RecordSlot record={record} />
      {previewed !== null && Preview && <Preview key={previewed} id={previewed} />}
    </div>
  );
}
