import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
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
    shown: boolean('shown').notNull().default(false),
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
    index('news_title_grams').using('gin', sql`text_grams(${table.title})`),
    check('news_version', sql`${table.version} >= 1`),
    check('news_title_length', sql`length(${table.title}) between 1 and 200`),
    check('news_shown_complete', sql`not ${table.shown} or ${table.image} is not null`),
  ],
);

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
