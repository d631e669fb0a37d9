import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { moment, satoshi, wei } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

export const deposits = pgTable(
  'deposits',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** EIP-55: who gets the YBTC. */
    userAddress: text('user_address').notNull(),
    amount: satoshi('amount').notNull(),
    /** Canonical Bitcoin address of the custodian the deposit went to. */
    coboAddress: text('cobo_address').notNull(),
    network: text('network', { enum: ['mainnet', 'testnet', 'signet', 'regtest'] }).notNull(),
    /** Bitcoin's own spelling, lower case. */
    txid: text('txid').notNull(),
    vout: integer('vout').notNull(),
    remarks: text('remarks').notNull().default(''),
    type: text('type', { enum: ['cobo', 'multisig'] })
      .notNull()
      .default('cobo'),
    lockTime: moment('lock_time'),
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
    /** Hash of the statement in the authority log that people sign for these very fields; null until somebody does. */
    statement: text('statement'),
    /** Who last wrote its fields. */
    modifiedBy: uuid('modified_by').references(() => administrators.id, { onDelete: 'set null' }),
    modifiedEmail: text('modified_email').notNull(),
    confirmedBy: uuid('confirmed_by').references(() => administrators.id, { onDelete: 'set null' }),
    confirmedAt: moment('confirmed_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    /** Of a closed one, for which nothing was minted nor ever will be, the output is free to be recorded again. */
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

/** What Cobo delivered: each event once, and when its transaction was last said to have changed. */
export const coboEvents = pgTable(
  'cobo_events',
  {
    id: text('id').primaryKey(),
    transaction: text('transaction').notNull(),
    /** Milliseconds, Cobo's. */
    saidAt: bigint('said_at', { mode: 'bigint' }).notNull(),
    receivedAt: moment('received_at').notNull(),
    outcome: text('outcome').notNull(),
  },
  (table) => [index('cobo_events_transaction').on(table.transaction, table.saidAt)],
);

/**
 * Everybody who ever wrote a version of a deposit, with the output it named then (triggers see to it; nothing is taken away, also
 * when the deposit is): none of them confirms it, nor another deposit of that output.
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

/**
 * Outputs that the custodian rejected. A block is of the output and not of the deposit: deleting the deposit and recording it again
 * lifts nothing.
 */
export const depositBlocks = pgTable(
  'deposit_blocks',
  {
    id: uuid('id').primaryKey(),
    network: text('network', { enum: ['mainnet', 'testnet', 'signet', 'regtest'] }).notNull(),
    txid: text('txid').notNull(),
    /** Null: every output of the transaction. */
    vout: integer('vout'),
    /** What the custodian calls the transaction. */
    transaction: text('transaction').notNull(),
    /** The custodian's own words. */
    reason: text('reason').notNull(),
    blockedAt: moment('blocked_at').notNull(),
    liftedAt: moment('lifted_at'),
  },
  (table) => [
    uniqueIndex('deposit_blocks_open')
      .on(table.network, table.txid, sql`coalesce(${table.vout}, -1)`)
      .where(sql`${table.liftedAt} is null`),
    index('deposit_blocks_output').on(table.txid, table.network),
  ],
);

/** Who signed that a block is lifted, and why. */
export const depositUnblocks = pgTable(
  'deposit_unblocks',
  {
    blockId: uuid('block_id')
      .notNull()
      .references(() => depositBlocks.id),
    administratorId: uuid('administrator_id').notNull(),
    reason: text('reason').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.blockId, table.administratorId] })],
);

/** One mint a deposit, for ever. Its life is in server/deposits/mints.ts. */
export const mints = pgTable(
  'mints',
  {
    id: uuid('id').primaryKey(),
    depositId: uuid('deposit_id')
      .notNull()
      .unique()
      .references(() => deposits.id),
    /** What the contract knows the deposit by. */
    depositHash: text('deposit_hash').notNull(),
    /** Where it is minted: a server of another chain, token or bridge leaves it alone. */
    chainId: integer('chain_id').notNull(),
    token: text('token').notNull(),
    bridge: text('bridge').notNull(),
    recipient: text('recipient').notNull(),
    amount: wei('amount').notNull(),
    state: text('state', {
      enum: ['queued', 'signed', 'sent', 'mined', 'final', 'failed', 'canceled', 'closed'],
    }).notNull(),
    /** Not signed before: the time in which it can be canceled. Null: at once. */
    signFrom: moment('sign_from'),
    /** Of the transactions below; a retry after a failure has another. */
    nonce: integer('nonce'),
    /** The transaction that is on chain. */
    hash: text('hash'),
    blockNumber: bigint('block_number', { mode: 'bigint' }),
    blockHash: text('block_hash'),
    /** A word of the catalogue (api/deposits/contract.ts) for what went wrong, and what the other side said. */
    problem: text('problem'),
    details: text('details'),
    attempts: integer('attempts').notNull().default(0),
    leasedUntil: moment('leased_until'),
    nextAt: moment('next_at').notNull(),
    sentAt: moment('sent_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('mints_deposit_hash')
      .on(table.depositHash)
      .where(sql`${table.state} <> 'closed'`),
    index('mints_next')
      .on(table.nextAt)
      .where(sql`${table.state} in ('queued', 'signed', 'sent', 'mined')`),
    check('mints_amount', sql`${table.amount} > 0 and ${table.amount} <> 'NaN'`),
  ],
);

/** Every transaction ever signed for a mint, stored before it is sent. */
export const mintTransactions = pgTable(
  'mint_transactions',
  {
    hash: text('hash').primaryKey(),
    mintId: uuid('mint_id')
      .notNull()
      .references(() => mints.id),
    nonce: integer('nonce').notNull(),
    raw: text('raw').notNull(),
    maxFeePerGas: wei('max_fee_per_gas').notNull(),
    maxPriorityFeePerGas: wei('max_priority_fee_per_gas').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [index('mint_transactions_mint').on(table.mintId, table.createdAt)],
);

/** The next nonce of the minter's account: one writer at a time, by its row's lock. */
export const signerNonces = pgTable(
  'signer_nonces',
  {
    chainId: integer('chain_id').notNull(),
    address: text('address').notNull(),
    next: integer('next').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.address] })],
);
