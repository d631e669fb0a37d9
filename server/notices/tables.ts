import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

export const notices = pgTable(
  'notices',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    content: text('content').notNull(),
    link: text('link').notNull(),
    platform: text('platform', { enum: ['all', 'desktop', 'mobile'] })
      .notNull()
      .default('all'),
    shown: boolean('shown').notNull().default(false),
    /** Null: unbounded. */
    startsAt: timestamptz('starts_at'),
    endsAt: timestamptz('ends_at'),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    /** Copied, because the account may be deleted. */
    creatorEmail: text('creator_email').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    index('notices_created').on(table.createdAt, table.id),
    index('notices_updated').on(table.updatedAt, table.id),
    index('notices_shown_created').on(table.shown, table.createdAt, table.id),
    index('notices_platform_created').on(table.platform, table.createdAt, table.id),
    index('notices_starts')
      .on(table.startsAt)
      .where(sql`${table.shown}`),
    index('notices_ends')
      .on(table.endsAt)
      .where(sql`${table.shown}`),
    index('notices_content_grams').using('gin', sql`text_grams(${table.content})`),
    check('notices_content_length', sql`length(${table.content}) between 1 and 1000`),
    check('notices_platform', sql`${table.platform} in ('all', 'desktop', 'mobile')`),
    check('notices_period', sql`${table.startsAt} is null or ${table.endsAt} is null or ${table.startsAt} < ${table.endsAt}`),
  ],
);
