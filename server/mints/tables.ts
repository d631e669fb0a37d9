import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { deposits } from '../deposits/tables.ts';
import { timestamptz, weiColumn } from '../platform/db/columns.ts';

export const mints = pgTable(
  'mints',
  {
    id: uuid('id').primaryKey(),
    depositId: uuid('deposit_id')
      .notNull()
      .unique()
      .references(() => deposits.id),
    depositHash: text('deposit_hash').notNull(),
    chainId: integer('chain_id').notNull(),
    token: text('token').notNull(),
    bridge: text('bridge').notNull(),
    recipient: text('recipient').notNull(),
    amount: weiColumn('amount').notNull(),
    state: text('state', {
      enum: ['queued', 'signed', 'sent', 'mined', 'final', 'failed', 'canceled', 'closed'],
    }).notNull(),
    /** End of the cancellation window. Null: none. */
    signFrom: timestamptz('sign_from'),
    nonce: integer('nonce'),
    hash: text('hash'),
    blockNumber: bigint('block_number', { mode: 'bigint' }),
    blockHash: text('block_hash'),
    /** A problem code (api/deposits/contract.ts) and the other side's message. */
    problem: text('problem'),
    details: text('details'),
    attempts: integer('attempts').notNull().default(0),
    leasedUntil: timestamptz('leased_until'),
    nextAt: timestamptz('next_at').notNull(),
    sentAt: timestamptz('sent_at'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
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

export const mintTransactions = pgTable(
  'mint_transactions',
  {
    hash: text('hash').primaryKey(),
    mintId: uuid('mint_id')
      .notNull()
      .references(() => mints.id),
    nonce: integer('nonce').notNull(),
    raw: text('raw').notNull(),
    maxFeePerGas: weiColumn('max_fee_per_gas').notNull(),
    maxPriorityFeePerGas: weiColumn('max_priority_fee_per_gas').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [index('mint_transactions_mint').on(table.mintId, table.createdAt)],
);

/** The row lock allows one writer at a time. */
export const signerNonces = pgTable(
  'signer_nonces',
  {
    chainId: integer('chain_id').notNull(),
    address: text('address').notNull(),
    next: integer('next').notNull(),
  },
  (table) => [primaryKey({ columns: [table.chainId, table.address] })],
);
