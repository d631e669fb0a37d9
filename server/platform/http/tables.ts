import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from '../db/columns.ts';

export const rateLimits = pgTable(
  'rate_limits',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    since: timestamptz('since').notNull(),
    lastAt: timestamptz('last_at').notNull(),
    blockedUntil: timestamptz('blocked_until'),
  },
  (table) => [index('rate_limits_last').on(table.lastAt)],
);
