import { bigint, pgTable, text } from 'drizzle-orm/pg-core';
import { timestamptz } from '../db/columns.ts';

export const chainCursors = pgTable('chain_cursors', {
  name: text('name').primaryKey(),
  block: bigint('block', { mode: 'bigint' }).notNull(),
  blockHash: text('block_hash').notNull(),
});

export const chainWatches = pgTable('chain_watches', {
  name: text('name', { enum: ['reconciliation', 'bridge', 'crsm'] }).primaryKey(),
  at: timestamptz('at').notNull(),
  state: text('state', { enum: ['unreachable', 'unsettled', 'failed'] }),
});
