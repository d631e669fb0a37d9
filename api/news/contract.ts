import * as z from 'zod/mini';
import {
  bulkOutput,
  httpUrl,
  id,
  instant,
  items,
  listInput,
  listOutput,
  matchingInput,
  matchingOutput,
  route,
  text,
  version,
} from '../base.ts';
import { historyRoutes, restoreInput } from '../history.ts';

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

export const newsFilter = z.strictObject({
  /** Part of the title, any case. */
  q: z.optional(z.string().check(z.maxLength(200))),
  shown: z.optional(z.boolean()),
});
export type NewsFilter = z.infer<typeof newsFilter>;

const feedItem = z.object({
  id: id(),
  title: z.string(),
  description: z.string(),
  link: z.string(),
  image: z.nullable(z.string()),
  time: z.string(),
  feed: z.string(), // the feed's title or host
  known: z.boolean(), // already among the news
});
export type FeedItem = z.infer<typeof feedItem>;

/** The feed items picked to be imported. */
export const newsPicks = z.strictObject({
  ids: z.array(id()).check(z.minLength(1, { error: 'required' }), z.maxLength(200)),
});

export const news = {
  list: route
    .meta({ menu: '/news' })
    .route({ method: 'POST', path: '/news/list' })
    .input(listInput(newsSorts, newsFilter))
    .output(listOutput(newsRow)),
  /** All that match a filter, for a command that runs on all of them. */
  matching: route
    .meta({ menu: '/news' })
    .route({ method: 'POST', path: '/news/matching' })
    .input(matchingInput(newsFilter))
    .output(matchingOutput()),
  /** Those of the asked rows that exist, in the asked order. */
  many: route
    .meta({ menu: '/news' })
    .route({ method: 'POST', path: '/news/many' })
    .input(z.strictObject({ ids: z.array(id()).check(z.maxLength(200)) }))
    .output(z.array(newsRow)),
  add: route.meta({ permission: 'news.add' }).route({ method: 'POST', path: '/news' }).input(newsFields).output(newsRow),
  edit: route
    .meta({ permission: 'news.edit' })
    .route({ method: 'PUT', path: '/news' })
    .input(z.extend(newsFields, { id: id(), version: version() }))
    .output(newsRow),
  show: route
    .meta({ permission: 'news.show' })
    .route({ method: 'POST', path: '/news/show' })
    .input(z.strictObject({ items: items() }))
    .output(bulkOutput(newsRow)),
  hide: route
    .meta({ permission: 'news.hide' })
    .route({ method: 'POST', path: '/news/hide' })
    .input(z.strictObject({ items: items() }))
    .output(bulkOutput(newsRow)),
  remove: route
    .meta({ permission: 'news.delete' })
    .route({ method: 'POST', path: '/news/delete' })
    .input(z.strictObject({ items: items() }))
    .output(bulkOutput(z.object({ id: id() }))),
  ...historyRoutes('/news'),
  /** Brings a recorded state of a news item back as a new edit. A deleted one comes back under its id, as Not Show. */
  restore: route
    .meta({ permission: 'news.restore' })
    .route({ method: 'POST', path: '/news/restore' })
    .input(restoreInput)
    .output(newsRow),
  /** Reads the configured feeds now. A feed that cannot be read is named in `failed`, with why. */
  feed: route
    .meta({ permission: 'news.get' })
    .route({ method: 'POST', path: '/news/feed' })
    .output(
      z.object({
        items: z.array(feedItem),
        failed: z.array(z.object({ feed: z.string(), reason: z.enum(['blocked', 'unreachable', 'tooLarge', 'notAFeed']) })),
      }),
    ),
  /** Imports picked feed items as Not Show; those already among the news are left alone. */
  import: route
    .meta({ permission: 'news.get' })
    .route({ method: 'POST', path: '/news/import' })
    .input(newsPicks)
    .output(z.object({ done: z.array(newsRow), known: z.int() })),
};
