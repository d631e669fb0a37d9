import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { timestamptz, satoshiColumn, weiColumn } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';
import { moneyFreezes } from '../custody/tables.ts';
import { deposits } from '../deposits/tables.ts';

/** Moved only by the bridge contract. */
export const withdrawals = pgTable(
  'withdrawals',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    depositId: uuid('deposit_id')
      .notNull()
      .references(() => deposits.id),
    /** EIP-55 account that requests the refund. */
    address: text('address').notNull(),
    amount: satoshiColumn('amount').notNull(),
    /** Canonical Bitcoin address. */
    receiver: text('receiver').notNull(),
    txid: text('txid').notNull(),
    status: text('status', { enum: ['todo', 'doing', 'withdrawable', 'done', 'canceled', 'gone'] })
      .notNull()
      .default('todo'),
    /** The bridge's, kept when the request disappears. */
    nonce: integer('nonce'),
    requestHash: text('request_hash'),
    confirmHash: text('confirm_hash'),
    coolsUntil: timestamptz('cools_until'),
    /** Hash of the statement. Null: not proposed. */
    statement: text('statement'),
    /** The bridge's counter at the proposal. Earlier requests are not covered. */
    firstNonce: integer('first_nonce'),
    /** Waits for consent. */
    cancelAskedBy: uuid('cancel_asked_by').references(() => administrators.id, { onDelete: 'set null' }),
    cancelAskedAt: timestamptz('cancel_asked_at'),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('withdrawals_deposit_live')
      .on(table.depositId)
      .where(sql`${table.status} <> 'canceled'`),
    uniqueIndex('withdrawals_statement')
      .on(table.statement)
      .where(sql`${table.statement} is not null`),
    // Not unique: a reorganization can give a nonce to another withdrawal while both have it. bridge_refunds decides.
    index('withdrawals_nonce').on(table.nonce),
    index('withdrawals_created').on(table.createdAt, table.id),
    index('withdrawals_status_created').on(table.status, table.createdAt, table.id),
    index('withdrawals_status_amount').on(table.status, table.amount, table.id),
    index('withdrawals_address').on(table.address, table.createdAt, table.id),
    index('withdrawals_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    index('withdrawals_receiver').on(table.receiver),
    index('withdrawals_amount_id').on(table.amount, table.id),
    index('withdrawals_txid').on(table.txid),
    index('withdrawals_request_hash').on(sql`lower(${table.requestHash})`),
    index('withdrawals_confirm_hash').on(sql`lower(${table.confirmHash})`),
    check('withdrawals_amount', sql`${table.amount} > 0`),
  ],
);

export type Withdrawal = typeof withdrawals.$inferSelect;

/** Recorded before a wallet is asked. A request on chain without an intent is unknown. */
export const refundIntents = pgTable(
  'refund_intents',
  {
    id: uuid('id').primaryKey(),
    withdrawalId: uuid('withdrawal_id')
      .notNull()
      .references(() => withdrawals.id),
    depositId: uuid('deposit_id')
      .notNull()
      .references(() => deposits.id),
    action: text('action', { enum: ['request', 'confirm'] }).notNull(),
    chainId: integer('chain_id').notNull(),
    from: text('from_address').notNull(),
    /** The bridge. */
    to: text('to_address').notNull(),
    /** Calldata, exactly as sent. */
    data: text('data').notNull(),
    receiver: text('receiver').notNull(),
    amount: satoshiColumn('amount').notNull(),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'set null' }),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [index('refund_intents_withdrawal').on(table.withdrawalId, table.action)],
);

/** Every refund ever seen on the bridge, by nonce, with its withdrawal if known. */
export const bridgeRefunds = pgTable(
  'bridge_refunds',
  {
    chainId: integer('chain_id').notNull(),
    bridge: text('bridge').notNull(),
    nonce: integer('nonce').notNull(),
    srcHash: text('src_hash').notNull(),
    from: text('from_address').notNull(),
    receiver: text('receiver').notNull(),
    /** Wei of YBTC. */
    amount: weiColumn('amount').notNull(),
    requestHash: text('request_hash'),
    block: bigint('block', { mode: 'bigint' }),
    withdrawalId: uuid('withdrawal_id').references(() => withdrawals.id),
    /** Null: belongs to a withdrawal, or concerns only strangers. */
    freezeId: uuid('freeze_id').references(() => moneyFreezes.id),
    /** Concerns our deposit or user without a signed and requested withdrawal, or is a second refund. Freezes money. */
    alarming: boolean('alarming').notNull().default(false),
    seenAt: timestamptz('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.bridge, table.nonce] }),
    index('bridge_refunds_withdrawal').on(table.withdrawalId),
    index('bridge_refunds_alarming')
      .on(table.seenAt)
      .where(sql`${table.alarming} and ${table.freezeId} is null`),
  ],
);
