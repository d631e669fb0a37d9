import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../platform/db/columns.ts';

/** The authority log, a line a row, in canonical JSON (api/authority/canonical.ts). Triggers keep it append-only. */
export const authorityLines = pgTable('authority_lines', {
  number: integer('number').primaryKey(),
  hash: text('hash').notNull().unique(),
  line: text('line').notNull(),
  at: moment('at').notNull(),
});
