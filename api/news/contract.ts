import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { newsFilters } from './filters.ts';
import { httpUrl, id, timeField, route, textField, version } from '../base.ts';
import { showableRecords } from '../crud.ts';

export const newsFields = z.strictObject({
  title: textField(200),
  description: textField(5000),
  image: httpUrl(),
  time: timeField(),
  link: httpUrl(),
});
export type NewsFields = z.infer<typeof newsFields>;

export const newsRow = z.object({
  id: id(),
  version: version(),
  title: z.string(),
  description: z.string(),
  image: z.nullable(z.string()), // null: imported without a picture, can't be shown yet
  time: z.string(),
  link: z.string(),
  shown: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type NewsRow = z.infer<typeof newsRow>;

export const newsSorts = ['time', 'createdAt'] as const;

export type NewsFilter = FilterOf<typeof newsFilters>;

const feedItem = z.object({
  id: id(),
  title: z.string(),
  description: z.string(),
  link: z.string(),
  image: z.nullable(z.string()),
  time: z.nullable(z.string()),
  feed: z.string(),
  known: z.boolean(),
});
export type FeedItem = z.infer<typeof feedItem>;

export const newsPicks = z.strictObject({
  ids: z.array(id()).check(z.minLength(1, { error: 'required' }), z.maxLength(200)),
});

export const news = {
  ...showableRecords('news', {
    row: newsRow,
    fields: newsFields,
    edit: z.extend(newsFields, { id: id(), version: version() }),
    sorts: newsSorts,
    filters: newsFilters,
  }),
  feed: route
    .meta({ permission: 'news.get' })
    .route({ method: 'POST', path: '/news/feed' })
    .output(
      z.object({
        items: z.array(feedItem),
        failed: z.array(z.object({ feed: z.string(), reason: z.enum(['blocked', 'unreachable', 'tooLarge', 'notAFeed']) })),
        skipped: z.array(z.object({ feed: z.string(), reason: z.enum(['noLink', 'repeated', 'older']), count: z.int() })),
      }),
    ),
  import: route
    .meta({ permission: 'news.get' })
    .route({ method: 'POST', path: '/news/import' })
    .input(newsPicks)
    .output(z.object({ done: z.array(newsRow), known: z.int() })),
};
