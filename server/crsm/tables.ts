import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { timestamptz, weiColumn } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

// Derived from the chain by indexer.ts, except crsm_calls.

const figure = (name: string) =>
  weiColumn(name)
    .notNull()
    .default(sql`0`);

/** At one block. Null: not read yet, and not shown. */
const troveFigures = () => ({
  collateral: figure('collateral'),
  debt: figure('debt'),
  interest: figure('interest'),
  /** Principal and interest. */
  totalDebt: figure('total_debt'),
  /** Maximum uint256 without debt. */
  icr: figure('icr'),
  liquidationPrice: figure('liquidation_price'),
  MCR: figure('mcr'),
  price: figure('price'),
  block: bigint('block', { mode: 'bigint' }),
  readAt: timestamptz('read_at'),
});

export const crsms = pgTable(
  'crsms',
  {
    /** EIP-55, like all addresses here. */
    id: text('address').primaryKey(),
    tokenId: weiColumn('token_id').notNull(),
    troveManager: text('trove_manager').notNull(),
    troveId: weiColumn('trove_id').notNull(),
    owner: text('owner').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    ...troveFigures(),
    TRGCR: figure('trgcr'),
    TARCR: figure('tarcr'),
    MAX_TARCR: figure('max_tarcr'),
    debtGasCompensation: figure('debt_gas_compensation'),
    pendingDebtGasCompensation: figure('pending_debt_gas_compensation'),
    deadline: timestamptz('deadline'),
    deposits: figure('deposits'),
    yieldGains: figure('yield_gains'),
    debtTokenBalance: figure('debt_token_balance'),
    collateralGains: text('collateral_gains').notNull().default('[]'),
    /** (ICR − TRGCR) ÷ TRGCR, 1e18-based, maximum without debt. */
    distance: figure('distance'),
    isTrovesOwner: boolean('is_troves_owner').notNull().default(true),
  },
  (table) => [
    index('crsms_distance').on(table.distance, table.id),
    index('crsms_collateral').on(table.collateral, table.id),
    index('crsms_debt').on(table.totalDebt, table.id),
    index('crsms_icr').on(table.icr, table.id),
    index('crsms_deposits').on(table.deposits, table.id),
    index('crsms_created').on(table.createdAt, table.id),
    index('crsms_owner').on(table.owner),
    index('crsms_trove').on(table.troveId, table.troveManager),
    index('crsms_address_start').on(sql`lower(${table.id}) text_pattern_ops`),
    index('crsms_owner_start').on(sql`lower(${table.owner}) text_pattern_ops`),
  ],
);

export const troves = pgTable(
  'troves',
  {
    /** `<trove manager>-<trove id>` */
    id: text('id').primaryKey(),
    troveManager: text('trove_manager').notNull(),
    troveId: weiColumn('trove_id').notNull(),
    owner: text('owner').notNull(),
    openedAt: timestamptz('opened_at').notNull(),
    ...troveFigures(),
  },
  (table) => [
    index('troves_icr').on(table.icr, table.id),
    index('troves_collateral').on(table.collateral, table.id),
    index('troves_debt').on(table.totalDebt, table.id),
    index('troves_opened').on(table.openedAt, table.id),
    index('troves_owner').on(table.owner),
    index('troves_trove').on(table.troveId),
    index('troves_owner_start').on(sql`lower(${table.owner}) text_pattern_ops`),
  ],
);

/** Events of the factory, its clones, and transfers of troves. */
export const crsmEvents = pgTable(
  'crsm_events',
  {
    /** `<transaction>-<log index>` */
    id: text('id').primaryKey(),
    /** A CRSM's address, or a trove's id. */
    crsm: text('crsm'),
    trove: text('trove'),
    name: text('name').notNull(),
    /** JSON of names and texts. */
    args: text('args').notNull(),
    hash: text('hash').notNull(),
    logIndex: integer('log_index').notNull(),
    block: bigint('block', { mode: 'bigint' }).notNull(),
    blockHash: text('block_hash').notNull(),
    at: timestamptz('at').notNull(),
  },
  (table) => [
    index('crsm_events_crsm').on(table.crsm, table.block, table.logIndex),
    index('crsm_events_trove').on(table.trove, table.block, table.logIndex),
    index('crsm_events_block').on(table.block),
    index('crsm_events_name').on(table.name, table.crsm, table.block, table.logIndex),
    check('crsm_events_whose', sql`(${table.crsm} is null) <> (${table.trove} is null)`),
  ],
);

/** The exact call as reviewed, and its outcome (calls.ts). */
export const crsmCalls = pgTable(
  'crsm_calls',
  {
    id: uuid('id').primaryKey(),
    action: text('action').notNull(),
    /** Null: being created. */
    crsm: text('crsm'),
    state: text('state', { enum: ['prepared', 'sent', 'done', 'failed', 'different', 'lost'] })
      .notNull()
      .default('prepared'),
    chainId: integer('chain_id').notNull(),
    from: text('from_address').notNull(),
    to: text('to_address').notNull(),
    data: text('data').notNull(),
    functionName: text('function_name').notNull(),
    /** JSON of names and texts, in the function's order. */
    args: text('args').notNull(),
    /** Head at preparation. The transaction is in a later block. */
    block: bigint('block', { mode: 'bigint' }).notNull(),
    hash: text('hash'),
    sentAt: timestamptz('sent_at'),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'set null' }),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    index('crsm_calls_crsm').on(table.crsm, table.createdAt),
    index('crsm_calls_open')
      .on(table.createdAt)
      .where(sql`${table.state} in ('prepared', 'sent', 'lost')`),
    // A transaction is the outcome of at most one call.
    uniqueIndex('crsm_calls_outcome')
      .on(table.hash)
      .where(sql`${table.state} in ('done', 'failed')`),
  ],
);
