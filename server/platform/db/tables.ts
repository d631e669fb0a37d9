import { boolean, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from './columns.ts';

/** When each kind of maintenance was last done, so that metrics and alerts tell of one that was forgotten. */
export const maintenanceRuns = pgTable('maintenance_runs', {
  kind: text('kind', { enum: ['audit-verify', 'backup'] }).primaryKey(),
  at: moment('at').notNull(),
  succeeded: boolean('succeeded').notNull(),
  /** Of the program that did it. */
  version: text('version').notNull(),
});
