import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { timestamptz, satoshiColumn } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

export const deposits = pgTable(
  'deposits',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** EIP-55 receiver of the YBTC. */
    userAddress: text('user_address').notNull(),
    amount: satoshiColumn('amount').notNull(),
    /** Canonical. */
    coboAddress: text('cobo_address').notNull(),
    network: text('network', { enum: ['mainnet', 'testnet', 'signet', 'regtest'] }).notNull(),
    /** Lower case without 0x. */
    txid: text('txid').notNull(),
    vout: integer('vout').notNull(),
    remarks: text('remarks').notNull().default(''),
    type: text('type', { enum: ['cobo', 'multisig'] })
      .notNull()
      .default('cobo'),
    lockTime: timestamptz('lock_time'),
    status: text('status', { enum: ['created', 'confirmed'] })
      .notNull()
      .default('created'),
    mintStatus: text('mint_status', { enum: ['none', 'queued', 'sent', 'done', 'failed', 'canceled', 'closed'] })
      .notNull()
      .default('none'),
    withdrawStatus: text('withdraw_status', { enum: ['default', 'requested'] })
      .notNull()
      .default('default'),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    /** Hash of the statement for exactly these fields. Null: no signatures. */
    statement: text('statement'),
    modifiedBy: uuid('modified_by').references(() => administrators.id, { onDelete: 'set null' }),
    modifiedEmail: text('modified_email').notNull(),
    confirmedBy: uuid('confirmed_by').references(() => administrators.id, { onDelete: 'set null' }),
    confirmedAt: timestamptz('confirmed_at'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    /** A closed deposit frees its output to be recorded again. */
    uniqueIndex('deposits_output')
      .on(table.network, table.txid, table.vout)
      .where(sql`${table.mintStatus} <> 'closed'`),
    index('deposits_created').on(table.createdAt, table.id),
    index('deposits_status_created').on(table.status, table.createdAt, table.id),
    index('deposits_mint_created').on(table.mintStatus, table.createdAt, table.id),
    index('deposits_status_amount').on(table.status, table.amount, table.id),
    index('deposits_mint_amount').on(table.mintStatus, table.amount, table.id),
    index('deposits_user').on(table.userAddress, table.createdAt, table.id),
    index('deposits_cobo').on(table.coboAddress, table.createdAt, table.id),
    index('deposits_amount').on(table.amount, table.id),
    index('deposits_user_start').on(sql`lower(${table.userAddress}) text_pattern_ops`),
    index('deposits_cobo_start').on(sql`lower(${table.coboAddress}) text_pattern_ops`),
    index('deposits_txid_start').on(sql`${table.txid} text_pattern_ops`),
    check('deposits_amount_range', sql`${table.amount} > 0 and ${table.amount} <= 2100000000000000`),
    check('deposits_txid', sql`${table.txid} ~ '^[0-9a-f]{64}$'`),
    check('deposits_vout', sql`${table.vout} >= 0`),
    check('deposits_minted_confirmed', sql`${table.mintStatus} = 'none' or ${table.status} = 'confirmed'`),
    check('deposits_two_people', sql`${table.confirmedBy} is null or ${table.status} = 'confirmed'`),
  ],
);

/** Each event once, with the time that Cobo gave its transaction. */
export const coboEvents = pgTable(
  'cobo_events',
  {
    id: text('id').primaryKey(),
    transaction: text('transaction').notNull(),
    /** Milliseconds, Cobo's clock. */
    saidAt: bigint('said_at', { mode: 'bigint' }).notNull(),
    receivedAt: timestamptz('received_at').notNull(),
    outcome: text('outcome').notNull(),
  },
  (table) => [index('cobo_events_transaction').on(table.transaction, table.saidAt)],
);

/**
 * Everyone who wrote a version, with its output at that time. Triggers fill it and nothing is removed, even with the deposit:
 * authors never confirm it or another deposit of the output.
 */
export const depositAuthors = pgTable(
  'deposit_authors',
  {
    depositId: uuid('deposit_id').notNull(),
    administratorId: uuid('administrator_id').notNull(),
    network: text('network').notNull(),
    txid: text('txid').notNull(),
    vout: integer('vout').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.depositId, table.administratorId, table.network, table.txid, table.vout] }),
    index('deposit_authors_output').on(table.txid, table.vout, table.network),
  ],
);

/** By output, so that deleting and recording a deposit again lifts nothing. */
export const depositBlocks = pgTable(
  'deposit_blocks',
  {
    id: uuid('id').primaryKey(),
    network: text('network', { enum: ['mainnet', 'testnet', 'signet', 'regtest'] }).notNull(),
    txid: text('txid').notNull(),
    /** Null: all outputs of the transaction. */
    vout: integer('vout'),
    transaction: text('transaction').notNull(),
    reason: text('reason').notNull(),
    blockedAt: timestamptz('blocked_at').notNull(),
    liftedAt: timestamptz('lifted_at'),
  },
  (table) => [
    uniqueIndex('deposit_blocks_open')
      .on(table.network, table.txid, sql`coalesce(${table.vout}, -1)`)
      .where(sql`${table.liftedAt} is null`),
    index('deposit_blocks_output').on(table.txid, table.network),
  ],
);

export const depositUnblocks = pgTable(
  'deposit_unblocks',
  {
    blockId: uuid('block_id')
      .notNull()
      .references(() => depositBlocks.id),
    administratorId: uuid('administrator_id').notNull(),
    reason: text('reason').notNull(),
    at: timestamptz('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockId, table.administratorId] })],
);
