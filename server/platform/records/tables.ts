import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from '../db/columns.ts';

/** Stored in the write's own transaction. */
export const idempotency = pgTable(
  'idempotency',
  {
    administratorId: uuid('administrator_id').notNull(),
    route: text('route').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    /** JSON. Null only inside the writing transaction. */
    response: text('response'),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.administratorId, table.route, table.key] }),
    index('idempotency_created').on(table.createdAt),
    check('idempotency_key_length', sql`length(${table.key}) between 1 and 64`),
  ],
);

/** By resource, the sum of all shards. Shards avoid lock waits between writers. */
export const shardedCounters = pgTable(
  'sharded_counters',
  {
    counter: text('counter', { enum: ['arrivals', 'publicChanges'] }).notNull(),
    resource: text('resource').notNull(),
    shard: integer('shard').notNull(),
    value: bigint('value', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.counter, table.resource, table.shard] })],
);
