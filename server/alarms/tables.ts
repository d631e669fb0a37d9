import { bigint, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../platform/db/columns.ts';

/** An alarm, written in one transaction with the deliveries that send it. */
export const alarms = pgTable(
  'alarms',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').notNull(),
    /** JSON list of what each subject is about (facts.ts). */
    subjects: text('lines').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [index('alarms_at').on(table.at)],
);

/** What an alarm was raised for: once, until it is over. */
export const alarmSubjects = pgTable(
  'alarm_subjects',
  {
    key: text('key').primaryKey(),
    kind: text('kind').notNull(),
    alarmId: uuid('alarm_id')
      .notNull()
      .references(() => alarms.id),
    at: moment('at').notNull(),
  },
  (table) => [index('alarm_subjects_kind').on(table.kind)],
);

/** One alarm on one channel, on its way: sent by whichever process takes it. */
export const alarmDeliveries = pgTable(
  'alarm_deliveries',
  {
    id: uuid('id').primaryKey(),
    alarmId: uuid('alarm_id')
      .notNull()
      .references(() => alarms.id),
    /** As the configuration names it: its kind and a fingerprint of its address, which is a secret. */
    channel: text('channel').notNull(),
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
  (table) => [
    uniqueIndex('alarm_deliveries_once').on(table.alarmId, table.channel),
    index('alarm_deliveries_next').on(table.state, table.nextAt),
  ],
);

/** Up to which row of the audit changes of rules and rights have been looked at. */
export const alarmCursors = pgTable('alarm_cursors', {
  name: text('name').primaryKey(),
  seq: bigint('seq', { mode: 'number' }).notNull(),
});
