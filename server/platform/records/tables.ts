import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../db/columns.ts';

/** The answer to a write, kept in the write's own transaction. */
export const idempotency = pgTable(
  'idempotency',
  {
    administratorId: uuid('administrator_id').notNull(),
    route: text('route').notNull(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    /** JSON of the answer; null only inside the transaction that is making it. */
    response: text('response'),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.administratorId, table.route, table.key] }),
    index('idempotency_created').on(table.createdAt),
    check('idempotency_key_length', sql`length(${table.key}) between 1 and 64`),
  ],
);

/**
 * How much has come in from outside, and how often what the public sees has changed, by resource: the sum of all shards.
 * Several, so that two who count at once do not wait for each other.
 */
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
