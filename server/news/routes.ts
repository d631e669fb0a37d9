import { newsRow, type NewsFields, type NewsRow } from '../../api/news/contract.ts';
import { newsFilters } from '../../api/news/filters.ts';
import { importFeedItems, readFeedItems } from './feeds.ts';
import { appError } from '../platform/core/errors.ts';
import { guardedApi } from '../platform/http/router.ts';
import { countPublicChange } from '../platform/records/counters.ts';
import { crud } from '../platform/records/crud.ts';
import { setShown } from '../platform/records/shown.ts';
import { news as table } from './tables.ts';

const records = crud({
  table,
  entity: 'news',
  sorts: { time: table.time, createdAt: table.createdAt },
  filters: newsFilters,
  filterConditions: {
    q: { part: table.title, in: table },
    shown: table.shown,
    time: table.time,
    createdAt: table.createdAt,
  },
  present,
  schema: newsRow,
  columnsOf: ({ title, description, image, time, link }: Pick<NewsRow, keyof NewsFields>) => ({
    title,
    description,
    image,
    time: new Date(time),
    link,
  }),
  made: ({ actor }) => ({ createdBy: actor?.id ?? null }),
  check: ({ shown }, { image }) => {
    if (shown && image === null) throw appError('INCOMPLETE', { fields: ['image'] });
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
  feed: guardedApi.news.feed.handler(({ context }) => readFeedItems(context)),
  import: guardedApi.news.import.handler(({ input, context }) => importFeedItems(context, input.ids, present)),
};

function present(row: typeof table.$inferSelect): NewsRow {
  return {
    id: row.id,
    version: row.version,
    title: row.title,
    description: row.description,
    image: row.image,
    time: row.time.toISOString(),
    link: row.link,
    shown: row.shown,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
