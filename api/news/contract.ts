import * as z from 'zod/mini';
import type { FilterOf } from '../filter.ts';
import { newsFilters } from './filters.ts';
import {
  refinePeriodOrder,
  httpUrlSchema,
  idSchema,
  optionalHttpUrlSchema,
  optionalTextSchema,
  timeSchema,
  route,
  textSchema,
  versionSchema,
} from '../base.ts';
import { createShowableRoutes } from '../crud.ts';
import { newsJoin, newsJoinChoices, undoNewsJoin } from './join.ts';
import { languages } from './language.ts';

export const newsFields = z
  .strictObject({
    title: textSchema(200),
    description: textSchema(5000),
    image: httpUrlSchema(),
    time: timeSchema(),
    link: httpUrlSchema(),
    /** Language of `title`, `description` and `link`. Null: detected from title and description. */
    language: z.optional(z.nullable(z.enum(languages))),
    // An absent value keeps the stored one. An empty value is stored as null. A null link means the original link.
    translatedTitle: z.optional(z.nullable(optionalTextSchema(200))),
    translatedDescription: z.optional(z.nullable(optionalTextSchema(5000))),
    translatedLink: z.optional(z.nullable(optionalHttpUrlSchema())),
    startsAt: z.optional(z.nullable(timeSchema())),
    endsAt: z.optional(z.nullable(timeSchema())),
  })
  .check(requiredInTranslation('translatedTitle'), requiredInTranslation('translatedDescription'), refinePeriodOrder());
export type NewsFields = z.infer<typeof newsFields>;

type Translation = { [Field in 'translatedTitle' | 'translatedDescription' | 'translatedLink']?: string | null | undefined };

function requiredInTranslation(field: 'translatedTitle' | 'translatedDescription') {
  return z.refine<Translation>(
    (fields) =>
      Boolean(fields[field]) || ![fields.translatedTitle, fields.translatedDescription, fields.translatedLink].some(Boolean),
    { error: 'required', path: [field] },
  );
}

export const newsRow = z.object({
  id: idSchema(),
  version: versionSchema(),
  title: z.string(),
  description: z.string(),
  image: z.nullable(z.string()), // null: imported without a picture, can't be shown yet
  time: z.string(),
  link: z.string(),
  // Older audit entries lack these fields.
  language: z._default(z.nullable(z.enum(languages)), null),
  translatedTitle: z._default(z.nullable(z.string()), null),
  translatedDescription: z._default(z.nullable(z.string()), null),
  translatedLink: z._default(z.nullable(z.string()), null),
  shown: z.boolean(),
  startsAt: z._default(z.nullable(z.string()), null),
  endsAt: z._default(z.nullable(z.string()), null),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type NewsRow = z.infer<typeof newsRow>;

export const newsSorts = ['time', 'createdAt'] as const;

export type NewsFilter = FilterOf<typeof newsFilters>;

const feedItem = z.object({
  id: idSchema(),
  title: z.string(),
  description: z.string(),
  link: z.string(),
  image: z.nullable(z.string()),
  time: z.nullable(z.string()),
  feed: z.string(),
  known: z.boolean(),
});
export type FeedItem = z.infer<typeof feedItem>;

export const newsIdsInput = z.strictObject({
  ids: z.array(idSchema()).check(z.minLength(1, { error: 'required' }), z.maxLength(200)),
});

export const news = {
  ...createShowableRoutes('news', {
    row: newsRow,
    fields: newsFields,
    edit: z.safeExtend(newsFields, { id: idSchema(), version: versionSchema() }),
    sorts: newsSorts,
    filters: newsFilters,
  }),
  /** Also needs `news.delete`. */
  join: route.meta({ permission: 'news.edit' }).route({ method: 'POST', path: '/news/join' }).input(newsJoin).output(newsRow),
  /** Also needs `news.restore`, and `news.show` if the deleted item was shown. */
  undoJoin: route
    .meta({ permission: 'news.edit' })
    .route({ method: 'POST', path: '/news/undo-join' })
    .input(undoNewsJoin)
    .output(z.object({ row: newsRow, restored: newsRow, choices: newsJoinChoices })),
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
    .input(newsIdsInput)
    .output(z.object({ done: z.array(newsRow), known: z.int() })),
};
