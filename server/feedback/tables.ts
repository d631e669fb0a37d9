import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';
import { pictures } from '../platform/content/tables.ts';

export const feedback = pgTable(
  'feedback',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** Unverified. */
    email: text('email').notNull(),
    content: text('content').notNull(),
    processed: boolean('processed').notNull().default(false),
    processedAt: timestamptz('processed_at'),
    processedBy: uuid('processed_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    index('feedback_created').on(table.createdAt, table.id),
    index('feedback_processed_created').on(table.processed, table.createdAt, table.id),
    index('feedback_content_grams').using('gin', sql`text_grams(${table.content})`),
    index('feedback_email_grams').using('gin', sql`text_grams(${table.email})`),
    check('feedback_lengths', sql`length(${table.content}) between 1 and 5000 and length(${table.email}) between 3 and 254`),
    check('feedback_processed', sql`${table.processed} = (${table.processedAt} is not null)`),
  ],
);

export const feedbackPictures = pgTable(
  'feedback_pictures',
  {
    feedbackId: uuid('feedback_id')
      .notNull()
      .references(() => feedback.id, { onDelete: 'cascade' }),
    position: integer('position').notNull(),
    pictureId: uuid('picture_id')
      .notNull()
      .references(() => pictures.id),
  },
  (table) => [
    primaryKey({ columns: [table.feedbackId, table.position] }),
    index('feedback_pictures_picture').on(table.pictureId),
    check('feedback_pictures_position', sql`${table.position} between 0 and 2`),
  ],
);

export const feedbackReplies = pgTable(
  'feedback_replies',
  {
    id: uuid('id').primaryKey(),
    feedbackId: uuid('feedback_id')
      .notNull()
      .references(() => feedback.id, { onDelete: 'cascade' }),
    content: text('content').notNull(),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [index('feedback_replies_feedback').on(table.feedbackId, table.createdAt)],
);
