import { useSearch } from 'wouter';
import { pickTextInLanguage } from '../../../api/news/language.ts';
import { newsFilters } from '../../../api/news/filters.ts';
import type { NewsRow } from '../../../api/news/contract.ts';
import { registry } from '../../commands/app/registry.ts';
import { news as newsCommands, newsTarget } from '../../commands/news/commands.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import { locale, t } from '../../lib/i18n/i18n.ts';
import { useChunk } from '../../lib/chunks/use-chunk.ts';
import { useLazySheet } from '../../lib/ui/lazy-sheet.tsx';
import { loadWords } from '../../lib/i18n/words.ts';
import { api } from '../../lib/net/client.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { translateUnder } from '../../lib/ui/list/filter/translate-under.ts';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { useList } from '../../lib/ui/list/use-list.ts';
import { recordChunk } from '../../lib/ui/record/record-slot.tsx';
import { SafeImage } from '../../lib/ui/value/picture.tsx';
import { SafeLink } from '../../lib/ui/value/safe-link.tsx';
import { ShownChip } from '../../lib/ui/value/shown-chip.tsx';
import { defineList, flagWords, ListScreen, timeColumn, withBin } from '../layout/list-screen.tsx';

registry.add(newsCommands);

const phaseChunk = createChunk(
  async () => (await Promise.all([import('../../lib/ui/value/shown-phase.tsx'), loadWords('schedule')]))[0].ShownPhase,
);

function Status({ row }: { row: NewsRow }) {
  const { value: Phase } = useChunk(phaseChunk, Boolean(row.startsAt ?? row.endsAt));
  return Phase ? <Phase of="news" row={row} /> : <ShownChip of="news" row={row} />;
}

/** In the reader's language, with a marker if the website shows or will show an item that lacks it. */
const Title = ({ row }: { row: NewsRow }) => {
  const { title, language } = pickTextInLanguage(row, locale());
  return (
    <span className="flex items-center gap-2">
      <span className="min-w-0 truncate">{title}</span>
      {language !== locale() && (row.shown || row.startsAt !== null) && (
        <span className="shrink-0 rounded-chip px-1 text-meta text-2 inset-ring inset-ring-hairline">
          {t(`news.missing.${locale()}`)}
        </span>
      )}
    </span>
  );
};

const columns: readonly Column<NewsRow>[] = [
  {
    id: 'status',
    card: 'state',
    header: 'news.field.status',
    width: 152,
    cell: (row) => <Status row={row} />,
  },
  {
    id: 'image',
    header: 'news.field.picture',
    width: 72,
    cell: (row) => <SafeImage src={row.image} alt={row.image === null ? t('value.noPicture') : ''} className="h-6 w-10" />,
  },
  { id: 'title', header: 'news.field.title', width: 220, grow: 3, fixed: true, cell: (row) => <Title row={row} /> },
  {
    id: 'description',
    header: 'news.field.description',
    width: 160,
    grow: 4,
    cell: (row) => <span className="text-2">{pickTextInLanguage(row, locale()).description}</span>,
  },
  {
    id: 'link',
    header: 'news.field.link',
    width: 150,
    grow: 1,
    cell: (row) => <SafeLink href={pickTextInLanguage(row, locale()).link} tabIndex={-1} />,
  },
  timeColumn('time', 'news.field.time', { sort: 'time', card: 'note' }),
  timeColumn('createdAt', 'news.field.createdAt', { sort: 'createdAt', hidden: true }),
];

const news = defineList({
  resource: 'news',
  words: { title: 'news.title', none: 'news.none', empty: 'news.empty' },
  list: api.news.list,
  values: api.news.values,
  matching: api.news.matching,
  sorts: ['time', 'createdAt'],
  defaultSort: { by: 'time', direction: 'desc' },
  filters: createFilters(newsFilters, {
    q: { label: 'list.search', placeholder: 'news.search' },
    shown: { label: 'news.field.status', words: flagWords('news.status.shown', 'news.status.hidden') },
    phase: { label: 'schedule.phase', words: translateUnder('schedule.phases') },
    coverage: { label: 'newsTranslations.field.coverage', words: translateUnder('newsTranslations.coverage') },
    time: { label: 'news.field.time' },
    createdAt: { label: 'news.field.createdAt' },
  }),
  columns,
  toTarget: newsTarget,
  open: 'news.open',
  bulk: ['news.show', 'news.hide', 'news.join', 'news.delete'],
  fill: 'news.add',
});

const record = recordChunk(
  // Texts for the history (audit) and for pictures (lightbox).
  async () =>
    (await Promise.all([import('./record.tsx'), loadWords('kit'), loadWords('schedule'), loadWords('newsTranslations')]))[0]
      .NewsRecord,
);

const previewChunk = createChunk(
  async () => (await Promise.all([import('./preview.tsx'), loadWords('schedule'), loadWords('newsTranslations')]))[0].NewsPreview,
);

function NewsList() {
  const previewId = new URLSearchParams(useSearch()).get('preview');
  const Preview = useLazySheet(previewChunk, previewId !== null, 'preview');
  return (
    <ListScreen of={news} list={useList(news.options)} record={record} commands={['news.bin', 'news.get']} primary="news.add">
      {previewId !== null && Preview && <Preview key={previewId} id={previewId} />}
    </ListScreen>
  );
}

export const News = withBin(NewsList, {
  resource: 'news',
  place: '/news',
  load: api.news.bin,
  textOf: (storedRecord) => pickTextInLanguage(storedRecord as NewsRow, locale()).title,
});
