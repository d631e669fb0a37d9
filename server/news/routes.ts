import * as z from 'zod/mini';
import { newsFields, newsRow } from '../../api/news/contract.ts';
import { newsFilters } from '../../api/news/filters.ts';
import { detectLanguage } from '../../api/news/language.ts';
import { importFeedItems, readFeedItems } from './feeds.ts';
import { joinNews, undoNewsJoin } from './join.ts';
import { appError, badField } from '../platform/core/errors.ts';
import { personOf } from '../platform/services/context.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countPublicChange } from '../platform/records/counters.ts';
import { crud } from '../platform/records/crud.ts';
import { columnsFrom, presentAs } from '../platform/records/named-columns.ts';
import { phaseCondition } from '../platform/records/schedule.ts';
import { setShown } from '../platform/records/shown.ts';
import { coverage, news as table } from './tables.ts';

/** An imported item has no image yet. */
const storedFields = z.object({ ...newsFields.shape, image: newsRow.shape.image });
type StoredFields = z.infer<typeof storedFields>;
type Stored = typeof table.$inferSelect;

const present = presentAs(newsRow);
const columnsOf = columnsFrom(table, storedFields);

const records = crud({
  table,
  entity: 'news',
  sorts: { time: table.time, createdAt: table.createdAt },
  filters: newsFilters,
  filterConditions: {
    q: { part: [table.title, table.translatedTitle], in: table },
    phase: phaseCondition(table),
    coverage: { of: coverage },
  },
  present,
  schema: newsRow,
  columnsOf: (fields: StoredFields, before) => ({ ...columnsOf(fields), ...translationColumns(fields, before) }),
  createdFields: (context) => ({ createdBy: personOf(context)?.id ?? null }),
  check: ({ shown, ...before }, { image, startsAt = before.startsAt, endsAt = before.endsAt }) => {
    if (shown && image === null) throw appError('INCOMPLETE', { fields: ['image'] });
    if (startsAt && endsAt && startsAt >= endsAt) throw badField('endsAt', 'afterStart');
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
  join: guardedApi.news.join.handler(joinNews(present)),
  undoJoin: guardedApi.news.undoJoin.handler(undoNewsJoin(present)),
  feed: guardedApi.news.feed.handler(({ context }) => readFeedItems(context)),
  import: guardedApi.news.import.handler(({ input, context }) => importFeedItems(context, input.ids, present)),
};

/** An absent value stays as stored. An empty title removes the whole translation. */
function translationColumns(fields: StoredFields, before: Stored | null) {
  const { language, translatedTitle = before?.translatedTitle, translatedDescription, translatedLink } = fields;
  if (!translatedTitle) return { language, translatedTitle: null, translatedDescription: null, translatedLink: null };
  if (translatedDescription !== undefined && !translatedDescription) throw badField('translatedDescription', 'required');
  return {
    language: (language === undefined ? before?.language : language) ?? detectLanguage(fields),
    translatedTitle,
    translatedDescription,
    translatedLink: translatedLink === undefined ? undefined : translatedLink || null,
  };
}
