import { bigint, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from '../platform/db/columns.ts';

/** Written in one transaction with its deliveries. */
export const alarms = pgTable(
  'alarms',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** JSON (facts.ts). */
    subjects: text('lines').notNull(),
    at: timestamptz('at').notNull(),
  },
  (table) => [index('alarms_at').on(table.at)],
);

/** Remembered until it ends, so that it is raised once. */
export const alarmSubjects = pgTable(
  'alarm_subjects',
  {
    key: text('key').primaryKey(),
    kind: text('kind').notNull(),
    alarmId: uuid('alarm_id')
      .notNull()
      .references(() => alarms.id),
    at: timestamptz('at').notNull(),
  },
  (table) => [index('alarm_subjects_kind').on(table.kind)],
);

export const alarmDeliveries = pgTable(
  'alarm_deliveries',
  {
    id: uuid('id').primaryKey(),
    alarmId: uuid('alarm_id')
      .notNull()
      .references(() => alarms.id),
    /** Kind and fingerprint of the address, which is secret. */
    channel: text('channel').notNull(),
    state: text('state', { enum: ['queued', 'sent', 'failed'] })
      .notNull()
      .default('queued'),
    attempts: integer('attempts').notNull().default(0),
    /** Another process can take it afterwards. */
    leasedUntil: timestamptz('leased_until'),
    nextAt: timestamptz('next_at').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    sentAt: timestamptz('sent_at'),
    error: text('error'),
  },
  (table) => [
    uniqueIndex('alarm_deliveries_once').on(table.alarmId, table.channel),
    index('alarm_deliveries_next').on(table.state, table.nextAt),
  ],
);

/** The last audit row checked for changes of rules and permissions. */
export const alarmCursors = pgTable('alarm_cursors', {
  name: text('name').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull(),
});
