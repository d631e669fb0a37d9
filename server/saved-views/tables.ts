import { integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

export const savedViews = pgTable(
  'saved_views',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id, { onDelete: 'cascade' }),
    /** The screen's path. */
    place: text('place').notNull(),
    name: text('name').notNull(),
    /** Without the question mark. */
    query: text('query').notNull(),
    position: integer('position').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [unique('saved_views_name').on(table.administratorId, table.place, table.name)],
);
