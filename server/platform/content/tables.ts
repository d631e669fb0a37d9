import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from '../db/columns.ts';
import { administrators } from '../auth/tables.ts';

/** Written in the causing transaction, sent by any process. */
export const mails = pgTable(
  'mails',
  {
    id: uuid('id').primaryKey(),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    body: text('body').notNull(),
    state: text('state', { enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    attempts: integer('attempts').notNull().default(0),
    /** Then another process may send it. */
    leasedUntil: timestamptz('leased_until'),
    nextAt: timestamptz('next_at').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    sentAt: timestamptz('sent_at'),
    error: text('error'),
  },
  (table) => [index('mails_next').on(table.state, table.nextAt)],
);

export const pictures = pgTable(
  'pictures',
  {
    id: uuid('id').primaryKey(),
    /** Of the upload, to store a file once. */
    sha256: text('sha256').notNull().unique(),
    mime: text('mime').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    bytes: integer('bytes').notNull(),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: timestamptz('created_at').notNull(),
    /** Last upload. A recent one is about to be referenced, however old the row. */
    sentAt: timestamptz('sent_at').notNull().defaultNow(),
  },
  (table) => [
    check('pictures_size', sql`${table.width} > 0 and ${table.height} > 0 and ${table.bytes} > 0`),
    index('pictures_sent').on(table.sentAt),
    index('pictures_person_created').on(table.createdBy, table.createdAt),
  ],
);
