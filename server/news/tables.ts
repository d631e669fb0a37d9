import { sql, type SQL } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, unique, uuid, type PgColumn } from 'drizzle-orm/pg-core';
import { languages } from '../../api/news/language.ts';
import { timestamptz } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

export const news = pgTable(
  'news',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    title: text('title').notNull(),
    description: text('description').notNull(),
    image: text('image'),
    time: timestamptz('time').notNull(),
    link: text('link').notNull(),
    /** Language of title and description. Null: detect it. */
    language: text('language', { enum: languages }),
    translatedTitle: text('translated_title'),
    translatedDescription: text('translated_description'),
    translatedLink: text('translated_link'),
    shown: boolean('shown').notNull().default(false),
    /** Null: unbounded. */
    startsAt: timestamptz('starts_at'),
    endsAt: timestamptz('ends_at'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    /** Unique, so that concurrent imports create one row. */
    feedItemId: uuid('feed_item_id').unique(),
    importedLink: text('imported_link').unique(),
  },
  (table) => [
    index('news_time').on(table.time, table.id),
    index('news_created').on(table.createdAt, table.id),
    index('news_shown_time').on(table.shown, table.time, table.id),
    index('news_shown_created').on(table.shown, table.createdAt, table.id),
    index('news_link').on(table.link),
    index('news_translated_link')
      .on(table.translatedLink)
      .where(sql`${table.translatedLink} is not null`),
    index('news_title_grams').using('gin', sql`text_grams(${table.title})`),
    index('news_translated_title_grams').using('gin', sql`text_grams(${table.translatedTitle})`),
    index('news_coverage').on(coverageSql(table), table.time, table.id),
    index('news_starts')
      .on(table.startsAt)
      .where(sql`${table.shown}`),
    index('news_ends')
      .on(table.endsAt)
      .where(sql`${table.shown}`),
    check('news_version', sql`${table.version} >= 1`),
    check('news_title_length', sql`length(${table.title}) between 1 and 200`),
    check('news_shown_complete', sql`not ${table.shown} or ${table.image} is not null`),
    check('news_language', sql`${table.language} in ('zh-CN', 'en-US')`),
    check(
      'news_translation',
      sql`case when ${table.translatedTitle} is null then ${table.translatedDescription} is null and ${table.translatedLink} is null else ${table.language} is not null and ${table.translatedDescription} is not null and length(${table.translatedTitle}) between 1 and 200 end`,
    ),
    check('news_period', sql`${table.startsAt} is null or ${table.endsAt} is null or ${table.startsAt} < ${table.endsAt}`),
  ],
);

/** SQL for a value of `coverages`. Must match `detectLanguage`. */
function coverageSql({
  title,
  description,
  language,
  translatedTitle,
}: Record<'title' | 'description' | 'language' | 'translatedTitle', PgColumn>): SQL<string> {
  return sql`(case when ${translatedTitle} is not null then 'both' when ${language} is not null then ${language} when ${title} ~ '[\\u4e00-\\u9fff]' or ${description} ~ '[\\u4e00-\\u9fff]' then 'zh-CN' else 'en-US' end)`;
}
export const coverage = coverageSql(news);

/** Last state of the feeds. */
export const feedItems = pgTable(
  'feed_items',
  {
    id: uuid('id').primaryKey(),
    feed: text('feed').notNull(),
    /** The feed's id. */
    guid: text('guid').notNull(),
    title: text('title').notNull(),
    description: text('description').notNull(),
    link: text('link').notNull(),
    image: text('image'),
    /** Null: missing or unreadable. */
    time: timestamptz('time'),
    fetchedAt: timestamptz('fetched_at').notNull(),
  },
  (table) => [unique('feed_items_guid').on(table.feed, table.guid), index('feed_items_link').on(table.link)],
);
