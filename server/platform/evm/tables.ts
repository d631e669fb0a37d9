import { bigint, pgTable, text } from 'drizzle-orm/pg-core';

/** How far a watcher of the chain has read. */
export const chainCursors = pgTable('chain_cursors', {
  name: text('name').primaryKey(),
  block: bigint('block', { mode: 'bigint' }).notNull(),
  blockHash: text('block_hash').notNull(),
});
