import * as z from 'zod/mini';
import { newsFields, newsRow } from '../../api/news/contract.ts';
import { newsFilters } from '../../api/news/filters.ts';
import { detectLanguage } from '../../api/news/language.ts';
import { importFeedItems, readFeedItems } from './feeds.ts';
import { joinNews, undoNewsJoin } from './join.ts';
import { createAppError, createFieldError } from '../platform/core/errors.ts';
import { personOf } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countPublicChange } from '../platform/records/counters.ts';
import { createCrud } from '../platform/records/crud.ts';
import { createColumnWriter, createPresenter } from '../platform/records/named-columns.ts';
import { createPhaseCondition } from '../platform/records/schedule.ts';
import { setShown } from '../platform/records/shown.ts';
import { coverage, news as table } from './tables.ts';

/** An imported item has no image yet. */
const storedFields = z.object({ ...newsFields.shape, image: newsRow.shape.image });
type StoredFields = z.infer<typeof storedFields>;
type NewsRecord = typeof table.$inferSelect;

const presentNews = createPresenter(newsRow);
const columnsOf = createColumnWriter(table, storedFields);

const records = createCrud({
  table,
  entity: 'news',
  sorts: { time: table.time, createdAt: table.createdAt },
  filters: newsFilters,
  filterConditions: {
    q: { part: [table.title, table.translatedTitle], in: table },
    phase: createPhaseCondition(table),
    coverage: { of: coverage },
  },
  present: presentNews,
  schema: newsRow,
  columnsOf: (fields: StoredFields, previous) => ({ ...columnsOf(fields), ...translationColumnsOf(fields, previous) }),
  createdFields: (context) => ({ createdBy: personOf(context)?.id ?? null }),
  check: ({ shown, ...before }, { image, startsAt = before.startsAt, endsAt = before.endsAt }) => {
    if (shown && image === null) throw createAppError('INCOMPLETE', { fields: ['image'] });
    if (startsAt && endsAt && startsAt >= endsAt) throw createFieldError('endsAt', 'afterStart');
  },
  changed: countPublicChange('news'),
});

export const news = {
  list: guardedApi.news.list.handler(records.list),
  values: guardedApi.news.values.handler(records.values),
  matching: guardedApi.news.matching.handler(records.matching),
  many: guardedApi.news.many.handler(records.many),
  bin: guardedApi.news.bin.handler(records.bin),
  history: guardedApi.news.history.handler(records.history),
  versions: guardedApi.news.versions.handler(records.versions),
  add: guardedApi.news.add.handler(records.add),
  edit: guardedApi.news.edit.handler(records.edit),
  show: guardedApi.news.show.handler(setShown(records.resource, true, ({ image }) => (image === null ? ['image'] : []))),
  hide: guardedApi.news.hide.handler(setShown(records.resource, false)),
  remove: guardedApi.news.remove.handler(records.remove),
  restore: guardedApi.news.restore.handler(records.restore),
  join: guardedApi.news.join.handler(joinNews(presentNews)),
  undoJoin: guardedApi.news.undoJoin.handler(undoNewsJoin(presentNews)),
  feed: guardedApi.news.feed.handler(({ context }) => readFeedItems(context)),
  import: guardedApi.news.import.handler(({ input, context }) => importFeedItems(context, input.ids, presentNews)),
};

/** An absent value stays as stored. An empty title removes the whole translation. */
function translationColumnsOf(fields: StoredFields, previous: NewsRecord | null) {
  const { language, translatedTitle = previous?.translatedTitle, translatedDescription, translatedLink } = fields;
  if (!translatedTitle) return { language, translatedTitle: null, translatedDescription: null, translatedLink: null };
  if (translatedDescription !== undefined && !translatedDescription) throw createFieldError('translatedDescription', 'required');
  return {
    language: (language === undefined ? previous?.language : language) ?? detectLanguage(fields),
    translatedTitle,
    translatedDescription,
    translatedLink: translatedLink === undefined ? undefined : translatedLink || null,
  };
}
