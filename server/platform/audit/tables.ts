import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { moment } from '../db/columns.ts';

/**
 * Append-only: a trigger refuses UPDATE, DELETE and TRUNCATE. Rows are written by `audit_append` alone (the migration has it)
 * out of audit_inbox; it takes every column but the chain's own out of `payload`. Partitioned by the month of `at`, which
 * `audit_append` makes when the first row of it comes: that `seq` and `id` are there once is its lock's doing.
 */
export const audit = pgTable(
  'audit',
  {
    /** Without gaps: assigned under the chain's lock. */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    id: uuid('id').notNull(),
    at: moment('at').notNull(),
    actorId: uuid('actor_id'),
    actorEmail: text('actor_email').notNull(),
    command: text('command'),
    route: text('route').notNull(),
    permission: text('permission'),
    action: text('action').notNull(),
    entity: text('entity').notNull(),
    entityId: text('entity_id'),
    /** The row before and after, as the exact text that was recorded. */
    before: text('before'),
    after: text('after'),
    result: text('result', { enum: ['done', 'refused'] }).notNull(),
    requestId: text('request_id').notNull(),
    ip: text('ip').notNull(),
    idempotencyKey: text('idempotency_key'),
    /** All of it as the exact text that is hashed. */
    payload: text('payload').notNull(),
    /** SHA-256 in hex: of the row before, and of this one over it (server/platform/audit/chain.ts). */
    prevHash: text('prev_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.seq, table.at] }),
    unique('audit_id').on(table.id, table.at),
    index('audit_at').on(table.at, table.id),
    index('audit_actor').on(table.actorEmail, table.at, table.id),
    index('audit_what').on(sql`coalesce(${table.command}, ${table.route})`, table.at, table.id),
    index('audit_kind').on(table.entity, table.at, table.id),
    index('audit_record').on(table.entityId, table.at, table.id),
    index('audit_outcome').on(table.result, table.at, table.id),
    index('audit_entity').on(table.entity, table.entityId, table.seq),
    check('audit_result', sql`${table.result} in ('done', 'refused')`),
  ],
);

/**
 * Where a transaction puts what the audit is to hold. At its commit a deferred trigger moves it into the chain, so that the
 * chain's lock is held for no round trip: nothing ever stands here for others to see, and audit:verify looks.
 */
export const auditInbox = pgTable('audit_inbox', { id: uuid('id').primaryKey(), payload: text('payload').notNull() });
