import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { newsFilters } from './filters.ts';
import { httpUrl, id, instant, route, text, version } from '../base.ts';
import { shownRecords } from '../crud.ts';

/** What a person fills in. The command's form and the route validate with this one schema. */
export const newsFields = z.strictObject({
  title: text(200),
  description: text(5000),
  image: httpUrl(),
  time: instant(),
  link: httpUrl(),
});
export type NewsFields = z.infer<typeof newsFields>;

export const newsRow = z.object({
  id: id(),
  version: version(),
  title: z.string(),
  description: z.string(),
  image: z.nullable(z.string()), // null: imported from a feed without a picture; cannot be shown yet
  time: z.string(),
  link: z.string(),
  shown: z.boolean(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type NewsRow = z.infer<typeof newsRow>;

export const newsSorts = ['time', 'createdAt'] as const;
export type NewsSort = (typeof newsSorts)[number];

export type NewsFilter = FilterOf<typeof newsFilters>;

const feedItem = z.object({
  id: id(),
  title: z.string(),
  description: z.string(),
  link: z.string(),
  image: z.nullable(z.string()),
  time: z.nullable(z.string()), // null: the feed gives none that can be read
  feed: z.string(), // the feed's title or host
  known: z.boolean(), // already among the news
});
export type FeedItem = z.infer<typeof feedItem>;

/** The feed items picked to be imported. */
export const newsPicks = z.strictObject({
  ids: z.array(id()).check(z.minLength(1, { error: 'required' }), z.maxLength(200)),
});

export const news = {
  ...shownRecords('news', {
    row: newsRow,
    fields: newsFields,
    edit: z.extend(newsFields, { id: id(), version: version() }),
    sorts: newsSorts,
    filters: newsFilters,
  }),
  /** Reads the configured feeds now. `failed` names feeds that cannot be read, `skipped` counts entries left out, each with why. */
  feed: route
    .meta({ permission: 'news.get' })
    .route({ method: 'POST', path: '/news/feed' })
    .output(
      z.object({
        items: z.array(feedItem),
        failed: z.array(z.object({ feed: z.string(), reason: z.enum(['blocked', 'unreachable', 'tooLarge', 'notAFeed']) })),
        /** Entries left out, by feed and reason. */
        skipped: z.array(z.object({ feed: z.string(), reason: z.enum(['noLink', 'repeated', 'older']), count: z.int() })),
      }),
    ),
  /** Imports picked feed items as Not Show; those already among the news are left alone. */
  import: route
    .meta({ permission: 'news.get' })
    .route({ method: 'POST', path: '/news/import' })
    .input(newsPicks)
    .output(z.object({ done: z.array(newsRow), known: z.int() })),
};
