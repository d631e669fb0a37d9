import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from './columns.ts';

/** For alerts about overdue maintenance. */
export const maintenanceRuns = pgTable('maintenance_runs', {
  kind: text('kind', { enum: ['audit-verify', 'backup'] }).primaryKey(),
  at: timestamptz('at').notNull(),
  succeeded: boolean('succeeded').notNull(),
  version: text('version').notNull(),
});
