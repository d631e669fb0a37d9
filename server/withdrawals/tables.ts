import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { moment, satoshi } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';
import { deposits } from '../deposits/tables.ts';

/** A way back to Bitcoin: recorded here, moved by what the bridge's contract says alone. */
export const withdrawals = pgTable(
  'withdrawals',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    depositId: uuid('deposit_id')
      .notNull()
      .references(() => deposits.id),
    /** EIP-55: whose wallet asks for the refund. */
    address: text('address').notNull(),
    amount: satoshi('amount').notNull(),
    /** Canonical Bitcoin address. */
    receiver: text('receiver').notNull(),
    txid: text('txid').notNull(),
    status: text('status', { enum: ['todo', 'doing', 'withdrawable', 'done', 'canceled'] })
      .notNull()
      .default('todo'),
    /** The bridge's, once it has the request. */
    nonce: integer('nonce').unique(),
    requestHash: text('request_hash'),
    confirmHash: text('confirm_hash'),
    coolsUntil: moment('cools_until'),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('withdrawals_deposit_live')
      .on(table.depositId)
      .where(sql`${table.status} <> 'canceled'`),
    index('withdrawals_created').on(table.createdAt, table.id),
    index('withdrawals_status_created').on(table.status, table.createdAt, table.id),
    index('withdrawals_address').on(table.address, table.createdAt, table.id),
    index('withdrawals_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    index('withdrawals_receiver').on(table.receiver),
    index('withdrawals_amount_id').on(table.amount, table.id),
    check('withdrawals_amount', sql`${table.amount} > 0`),
  ],
);
