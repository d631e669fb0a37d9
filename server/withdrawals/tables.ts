import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { moment, satoshi, wei } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';
import { moneyFreezes } from '../custody/tables.ts';
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
    status: text('status', { enum: ['todo', 'doing', 'withdrawable', 'done', 'canceled', 'gone'] })
      .notNull()
      .default('todo'),
    /** The bridge's, once it has the request: kept when the chain has it no more. */
    nonce: integer('nonce'),
    requestHash: text('request_hash'),
    confirmHash: text('confirm_hash'),
    coolsUntil: moment('cools_until'),
    /** Hash of the statement that people sign for this refund; null: nobody was asked yet. */
    statement: text('statement'),
    /** The bridge's counter when that was proposed: an earlier request is none that people signed. */
    firstNonce: integer('first_nonce'),
    /** Who asked to void a colleague's withdrawal and waits for consent. */
    cancelAskedBy: uuid('cancel_asked_by').references(() => administrators.id, { onDelete: 'set null' }),
    cancelAskedAt: moment('cancel_asked_at'),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('withdrawals_deposit_live')
      .on(table.depositId)
      .where(sql`${table.status} <> 'canceled'`),
    uniqueIndex('withdrawals_statement')
      .on(table.statement)
      .where(sql`${table.statement} is not null`),
    // Not unique: whose a nonce is, bridge_refunds says; a reorganisation gives it to another while both still have it.
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

/** What a wallet was about to be asked, written down before it was: a request on chain that none of these is of is nobody's. */
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
    /** The call to the last byte. */
    data: text('data').notNull(),
    receiver: text('receiver').notNull(),
    amount: satoshi('amount').notNull(),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'set null' }),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('refund_intents_withdrawal').on(table.withdrawalId, table.action)],
);

/** Every refund the bridge was ever seen to have, by its nonce: whose it is, or that nobody here asked for it. */
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
    amount: wei('amount').notNull(),
    requestHash: text('request_hash'),
    block: bigint('block', { mode: 'bigint' }),
    withdrawalId: uuid('withdrawal_id').references(() => withdrawals.id),
    /** Null: it is a withdrawal's, or no deposit and no user of ours is in it. */
    freezeId: uuid('freeze_id').references(() => moneyFreezes.id),
    /** It names a deposit or a user of ours and is no refund that people signed and a wallet was asked for, or a second one: money waits. */
    alarming: boolean('alarming').notNull().default(false),
    seenAt: moment('seen_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.chainId, table.bridge, table.nonce] }),
    index('bridge_refunds_withdrawal').on(table.withdrawalId),
    index('bridge_refunds_alarming')
      .on(table.seenAt)
      .where(sql`${table.alarming} and ${table.freezeId} is null`),
  ],
);
