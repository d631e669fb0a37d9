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

/** How often what the public sees of a resource has changed: the sum of all shards. Several, so that writers need not queue for one row. */
export const publicChanges = pgTable(
  'public_changes',
  {
    resource: text('resource', { enum: ['news', 'notices'] }).notNull(),
    shard: integer('shard').notNull(),
    value: bigint('value', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.resource, table.shard] })],
);

/** How much has come in from outside, by resource; in shards, so that two that come at once do not wait for each other. */
export const arrivals = pgTable(
  'arrivals',
  {
    resource: text('resource').notNull(),
    shard: integer('shard').notNull(),
    value: bigint('value', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.resource, table.shard] })],
);
