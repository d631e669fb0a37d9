import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { moment } from '../db/columns.ts';

/** How far a watcher of the chain has read. */
export const chainCursors = pgTable('chain_cursors', {
  name: text('name').primaryKey(),
  block: bigint('block', { mode: 'bigint' }).notNull(),
  blockHash: text('block_hash').notNull(),
});

/** Since when no look of a watcher of the chain, on any server, came to anything, and how the last one ended. A row while it is so. */
export const watchSilences = pgTable('watch_silences', {
  name: text('name', { enum: ['reconciliation', 'bridge', 'crsm'] }).primaryKey(),
  since: moment('since').notNull(),
  state: text('state', { enum: ['unreachable', 'unsettled', 'failed'] }).notNull(),
});
