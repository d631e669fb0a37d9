import type { RecordedRow } from '../../../api/history.ts';
import { Bin, useBin } from '../../commands/ui/bin/bin.tsx';
import { newsFilters } from '../../../api/news/filters.ts';
import type { NewsRow, NewsSort } from '../../../api/news/contract.ts';
import { runCommand } from '../../commands/app/app.ts';
import { news as newsCommands, newsTarget } from '../../commands/news/commands.ts';
import { registry } from '../../commands/app/registry.ts';
import { RowMenu, CommandTrigger } from '../../commands/ui/controls/command-trigger.tsx';
import { api } from '../../lib/net/client.ts';
import { copyText } from '../../lib/clipboard.ts';
import { loadWords } from '../../lib/i18n/words.ts';
import { t } from '../../lib/i18n/i18n.ts';
import type { Target } from '../../lib/scope.ts';
import { RecordSlot, recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { Empty } from '../../lib/ui/empty.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { filtersOf } from '../../lib/ui/list/filter/filters.ts';
import { ListTable } from '../../lib/ui/list/table/list-table.tsx';
import { useList } from '../../lib/ui/list/use-list.ts';
import { PageHeader } from '../../lib/ui/page.tsx';
import { SafeImage } from '../../lib/ui/value/picture.tsx';
import { SafeLink } from '../../lib/ui/value/safe-link.tsx';
import { Time } from '../../lib/ui/value/time.tsx';
import { ShownChip } from '../../lib/ui/value/shown-chip.tsx';

registry.add(newsCommands);

const list = {
  resource: 'news',
  sorts: ['time', 'createdAt'] satisfies NewsSort[],
  defaultSort: { by: 'time', direction: 'desc' },
  filters: filtersOf(newsFilters, {
    q: { label: 'list.search', placeholder: 'news.search' },
    shown: { label: 'news.field.status', words: (shown) => t(shown === 'true' ? 'news.status.shown' : 'news.status.hidden') },
    time: { label: 'news.field.time' },
    createdAt: { label: 'news.field.createdAt' },
  }),
  load: (input: Parameters<typeof api.news.list>[0], signal: AbortSignal) => api.news.list(input, { signal }),
  values: api.news.values,
  matching: api.news.matching,
  toTarget: newsTarget,
  onOpen: (target: Target) => runCommand({ id: 'news.open' }, 'row', [target]),
  onCopy: (target: Target) => void copyText(target.name),
} as const;

const record = recordChunk(
  // Texts for the history (audit) and for pictures (lightbox).
  async () => (await Promise.all([import('./record.tsx'), loadWords('kit')]))[0].NewsRecord,
);

const columns: readonly Column<NewsRow>[] = [
  { id: 'status', card: 'state', header: 'news.field.status', width: 104, cell: (row) => <ShownChip of="news" row={row} /> },
  {
    id: 'image',
    header: 'news.field.picture',
    width: 72,
    cell: (row) => <SafeImage src={row.image} alt={row.image === null ? t('value.noPicture') : ''} className="h-6 w-10" />,
  },
  { id: 'title', header: 'news.field.title', width: 220, grow: 3, fixed: true, cell: (row) => row.title },
  {
    id: 'description',
    header: 'news.field.description',
    width: 160,
    grow: 4,
    cell: (row) => <span className="text-2">{row.description}</span>,
  },
  { id: 'link', header: 'news.field.link', width: 150, grow: 1, cell: (row) => <SafeLink href={row.link} tabIndex={-1} /> },
  { id: 'time', card: 'note', header: 'news.field.time', width: 152, sort: 'time', cell: (row) => <Time iso={row.time} /> },
  {
    id: 'createdAt',
    header: 'news.field.createdAt',
    width: 152,
    sort: 'createdAt',
    hidden: true,
    cell: (row) => <Time iso={row.createdAt} />,
  },
];

const rowMenu = (row: NewsRow) => <RowMenu target={newsTarget(row)} />;

export function News() {
  return useBin() ? <Bin resource="news" place="/news" load={api.news.bin} textOf={deletedText} /> : <NewsList />;
}

const deletedText = ({ title }: RecordedRow) => (typeof title === 'string' ? title : '');

function NewsList() {
  const news = useList(list);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <PageHeader title={t('news.title')}>
        <CommandTrigger id="news.bin" />
        <CommandTrigger id="news.get" />
        <CommandTrigger id="news.add" look="primary" />
      </PageHeader>
      <div className="min-h-0 flex-1">
        <ListTable
          list={news}
          columns={columns}
          label={t('news.title')}
          rowMenu={rowMenu}
          bulk={
            <>
              <CommandTrigger id="news.show" />
              <CommandTrigger id="news.hide" />
              <CommandTrigger id="news.delete" />
            </>
          }
          empty={
            <Empty title={t('news.none')} action={<CommandTrigger id="news.add" look="primary" />}>
              {t('news.empty')}
            </Empty>
          }
        />
      </div>
      <RecordSlot record={record} />
    </div>
  );
}
