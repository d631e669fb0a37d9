import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../db/columns.ts';
import { administrators } from '../auth/tables.ts';

/** Mail on its way: written in the transaction that wants it, sent by whichever process takes it. */
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
    /** Taken until then; another process takes it over after. */
    leasedUntil: moment('leased_until'),
    nextAt: moment('next_at').notNull(),
    createdAt: moment('created_at').notNull(),
    sentAt: moment('sent_at'),
    error: text('error'),
  },
  (table) => [index('mails_next').on(table.state, table.nextAt)],
);

export const pictures = pgTable(
  'pictures',
  {
    id: uuid('id').primaryKey(),
    /** Of the upload as it came, so that the same file is kept once. */
    sha256: text('sha256').notNull().unique(),
    mime: text('mime').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    bytes: integer('bytes').notNull(),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    /** When it last came in: what somebody sent again a moment ago is about to be named, however old its row. */
    sentAt: moment('sent_at').notNull().defaultNow(),
  },
  (table) => [
    check('pictures_size', sql`${table.width} > 0 and ${table.height} > 0 and ${table.bytes} > 0`),
    index('pictures_sent').on(table.sentAt),
    index('pictures_person_created').on(table.createdBy, table.createdAt),
  ],
);
