import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

/** Each person's own commands, for undo and repeat on another device. */
export const commandHistory = pgTable(
  'command_history',
  {
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    /** Made by the browser, so it is unique for one person only. */
    id: uuid('id').notNull(),
    at: timestamptz('at').notNull(),
    /** JSON (api/macros/contract.ts). */
    entry: text('entry').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.administratorId, table.id] }),
    index('command_history_person').on(table.administratorId, table.at),
    index('command_history_at').on(table.at),
  ],
);
