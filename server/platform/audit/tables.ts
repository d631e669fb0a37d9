import { sql } from 'drizzle-orm';
import { bigint, check, index, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { timestamptz } from '../db/columns.ts';

/** Append-only by trigger. Only `audit_append` writes. Partitioned by month, so its lock keeps `seq` and `id` unique. */
export const audit = pgTable(
  'audit',
  {
    /** Without gaps. */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    id: uuid('id').notNull(),
    at: timestamptz('at').notNull(),
    actorId: uuid('actor_id'),
    actorEmail: text('actor_email').notNull(),
    command: text('command'),
    route: text('route').notNull(),
    permission: text('permission'),
    action: text('action').notNull(),
    entity: text('entity').notNull(),
    entityId: text('entity_id'),
    before: text('before'),
    after: text('after'),
    result: text('result', { enum: ['done', 'refused'] }).notNull(),
    requestId: text('request_id').notNull(),
    ip: text('ip').notNull(),
    idempotencyKey: text('idempotency_key'),
    payload: text('payload').notNull(),
    /** Hex SHA-256 (audit/chain.ts). */
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
 * A deferred trigger moves rows into the chain at commit, so no round trip holds its lock. Otherwise always empty, as
 * audit:verify checks.
 */
export const auditInbox = pgTable('audit_inbox', { id: uuid('id').primaryKey(), payload: text('payload').notNull() });
