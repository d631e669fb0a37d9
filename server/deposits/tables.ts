import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { moment, satoshi, wei } from '../platform/db/columns.ts';
import { administrators, roles } from '../platform/auth/tables.ts';

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
    mintStatus: text('mint_status', { enum: ['none', 'queued', 'sent', 'done', 'failed'] })
      .notNull()
      .default('none'),
    withdrawStatus: text('withdraw_status', { enum: ['default', 'requested'] })
      .notNull()
      .default('default'),
    createdBy: uuid('created_by').references(() => administrators.id, { onDelete: 'set null' }),
    /** Who last wrote its fields, and when: an approval is of another person, and of these fields. */
    modifiedBy: uuid('modified_by').references(() => administrators.id, { onDelete: 'set null' }),
    modifiedEmail: text('modified_email').notNull(),
    confirmedBy: uuid('confirmed_by').references(() => administrators.id, { onDelete: 'set null' }),
    confirmedAt: moment('confirmed_at'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('deposits_output').on(table.network, table.txid, table.vout),
    index('deposits_created').on(table.createdAt, table.id),
    index('deposits_status_created').on(table.status, table.createdAt, table.id),
    index('deposits_mint_created').on(table.mintStatus, table.createdAt, table.id),
    index('deposits_user').on(table.userAddress, table.createdAt, table.id),
    index('deposits_cobo').on(table.coboAddress, table.createdAt, table.id),
    index('deposits_amount').on(table.amount, table.id),
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

/** Who said yes to which fields of a deposit. Another hash is another deposit: approvals of it no longer count. */
export const depositApprovals = pgTable(
  'deposit_approvals',
  {
    id: uuid('id').primaryKey(),
    depositId: uuid('deposit_id')
      .notNull()
      .references(() => deposits.id, { onDelete: 'cascade' }),
    contentHash: text('content_hash').notNull(),
    administratorId: uuid('administrator_id')
      .notNull()
      .references(() => administrators.id),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (table) => [unique('deposit_approvals_one').on(table.depositId, table.contentHash, table.administratorId)],
);

/** What confirming asks for, by amount: rows together leave no gap, or nothing in the gap is minted. */
export const mintPolicies = pgTable(
  'mint_policies',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** From this amount on, up to and without the other; null is without an end. */
    from: satoshi('from_amount').notNull(),
    below: satoshi('below_amount'),
    /** People besides who recorded it. */
    approvals: integer('approvals').notNull(),
    /** All of them hold this role; null: any role with the right. */
    roleId: uuid('role_id').references(() => roles.id),
    /** Most that may be confirmed under this policy in any 24 hours. */
    perDay: satoshi('per_day'),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    unique('mint_policies_from').on(table.from),
    check('mint_policies_range', sql`${table.from} >= 0 and (${table.below} is null or ${table.below} > ${table.from})`),
    check('mint_policies_approvals', sql`${table.approvals} between 0 and 5`),
  ],
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
    depositHash: text('deposit_hash').notNull().unique(),
    chainId: integer('chain_id').notNull(),
    recipient: text('recipient').notNull(),
    amount: wei('amount').notNull(),
    state: text('state', { enum: ['queued', 'signed', 'sent', 'mined', 'final', 'failed'] }).notNull(),
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
