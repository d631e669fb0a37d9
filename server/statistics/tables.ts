import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { timestamptz, satoshiColumn, weiColumn } from '../platform/db/columns.ts';
import { imports } from '../imports/tables.ts';

// Roll-ups use '' or 0 for a missing country or chain, because keys cannot be null.
// The tables of visits are also in server/statistics/migrations, for a database of their own. There `slot` is part of each key.

/** What a distributed database spreads by (slots.ts). Always 0 in the panel's own tables. */
const slotColumn = () => ({ slot: integer('slot').notNull().default(0) });

/**
 * Reported by the website. Partitioned by month of `at` in the migration, which Drizzle cannot express (partitions.ts). Id and
 * time make an event count once.
 */
export const visits = pgTable(
  'visits',
  {
    id: uuid('id').notNull(),
    at: timestamptz('at').notNull(),
    page: text('page').notNull(),
    country: text('country'),
    chainId: integer('chain_id'),
    btcDeposited: satoshiColumn('btc_deposited')
      .notNull()
      .default(sql`0`),
    yuMinted: weiColumn('yu_minted')
      .notNull()
      .default(sql`0`),
    /** EIP-55. */
    address: text('address'),
    vaultId: text('vault_id'),
    ...slotColumn(),
  },
  (table) => [
    primaryKey({ columns: [table.at, table.id] }),
    index('visits_country').on(table.country, table.at, table.id),
    index('visits_chain').on(table.chainId, table.at, table.id),
    index('visits_page').on(table.page, table.at, table.id),
    index('visits_address_start')
      .on(sql`lower(${table.address}) text_pattern_ops`, table.at)
      .where(sql`${table.address} is not null`),
    index('visits_vault')
      .on(table.vaultId, table.at)
      .where(sql`${table.vaultId} is not null`),
    check('visits_amounts', sql`${table.btcDeposited} >= 0 and ${table.yuMinted} >= 0 and ${table.yuMinted} <> 'NaN'`),
  ],
);

const visitSums = () => ({
  visits: bigint('visits', { mode: 'number' }).notNull(),
  btcDeposited: weiColumn('btc_deposited').notNull(),
  yuMinted: weiColumn('yu_minted').notNull(),
});

const visitKeys = () => ({
  page: text('page').notNull(),
  country: text('country').notNull(),
  chainId: integer('chain_id').notNull(),
});

/** Queue of the roll-up, written with the batches and deleted when counted. */
export const visitDeltas = pgTable('visit_deltas', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  hour: timestamptz('hour').notNull(),
  ...visitKeys(),
  ...visitSums(),
  ...slotColumn(),
});

/** By hour and by UTC day. Together with the deltas exact, and kept longer than visits. */
export const visitHours = pgTable(
  'visit_hours',
  { hour: timestamptz('hour').notNull(), ...visitKeys(), ...visitSums(), ...slotColumn() },
  (table) => [primaryKey({ columns: [table.hour, table.page, table.country, table.chainId] })],
);

export const visitDays = pgTable(
  'visit_days',
  { day: timestamptz('day').notNull(), ...visitKeys(), ...visitSums(), ...slotColumn() },
  (table) => [primaryKey({ columns: [table.day, table.page, table.country, table.chainId] })],
);

/** Hourly sums for charts without filters. */
export const visitHourSums = pgTable('visit_hour_sums', {
  hour: timestamptz('hour').primaryKey(),
  ...visitSums(),
  ...slotColumn(),
});

/** Statistics databases that this panel has used, so that a start can tell an outage from a wrong URL. */
export const statisticsDatabases = pgTable('statistics_databases', {
  /** Hosts, ports and name, without user and password. */
  place: text('place').primaryKey(),
  firstAt: timestamptz('first_at').notNull(),
});

/** One address with one wallet on one chain. */
export const walletConnections = pgTable(
  'wallet_connections',
  {
    id: uuid('id').primaryKey(),
    /** EIP-55. */
    address: text('address').notNull(),
    wallet: text('wallet').notNull(),
    /** 0: unknown. */
    chainId: integer('chain_id').notNull(),
    country: text('country'),
    firstAt: timestamptz('first_at').notNull(),
    lastAt: timestamptz('last_at').notNull(),
    times: integer('times').notNull(),
  },
  (table) => [
    unique('wallet_connections_one').on(table.address, table.wallet, table.chainId),
    index('wallet_connections_last').on(table.lastAt, table.id),
    index('wallet_connections_first').on(table.firstAt, table.id),
    index('wallet_connections_times').on(table.times, table.id),
    index('wallet_connections_country').on(table.country, table.lastAt, table.id),
    index('wallet_connections_chain').on(table.chainId, table.lastAt, table.id),
    index('wallet_connections_wallet').on(table.wallet, table.lastAt, table.id),
    index('wallet_connections_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    check('wallet_connections_times', sql`${table.times} > 0 and ${table.firstAt} <= ${table.lastAt}`),
  ],
);

export const walletEvents = pgTable(
  'wallet_events',
  { id: uuid('id').primaryKey(), at: timestamptz('at').notNull() },
  (table) => [index('wallet_events_at').on(table.at)],
);

/** The last import of a captain is current. Undoing it restores the previous one. */
export const teams = pgTable(
  'teams',
  {
    id: uuid('id').primaryKey(),
    /** EIP-55. */
    captain: text('captain').notNull(),
    yuMinted: weiColumn('yu_minted').notNull(),
    size: integer('size').notNull(),
    current: boolean('current').notNull(),
    importId: uuid('import_id').references(() => imports.id),
    importLine: integer('import_line'),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('teams_current')
      .on(table.captain)
      .where(sql`${table.current}`),
    index('teams_captain').on(table.captain, table.updatedAt),
    index('teams_yu').on(table.yuMinted, table.id),
    index('teams_size').on(table.size, table.id),
    index('teams_updated').on(table.updatedAt, table.id),
    index('teams_captain_start').on(sql`lower(${table.captain}) text_pattern_ops`),
    unique('teams_import_line').on(table.importId, table.importLine),
    check('teams_counts', sql`${table.size} >= 0 and ${table.yuMinted} >= 0 and ${table.yuMinted} <> 'NaN'`),
  ],
);

/** One draw per captain and time. */
export const draws = pgTable(
  'draws',
  {
    id: uuid('id').primaryKey(),
    time: timestamptz('time').notNull(),
    /** EIP-55. */
    captain: text('captain').notNull(),
    /** Without the captain. */
    members: integer('members').notNull(),
    captainBerries: bigint('captain_berries', { mode: 'bigint' }).notNull(),
    totalBerries: bigint('total_berries', { mode: 'bigint' }).notNull(),
    importId: uuid('import_id').references(() => imports.id),
    importLine: integer('import_line'),
  },
  (table) => [
    unique('draws_one').on(table.time, table.captain),
    index('draws_time').on(table.time, table.id),
    index('draws_members').on(table.members, table.id),
    index('draws_captain_berries').on(table.captainBerries, table.id),
    index('draws_total_berries').on(table.totalBerries, table.id),
    index('draws_captain_start').on(sql`lower(${table.captain}) text_pattern_ops`),
    unique('draws_import_line').on(table.importId, table.importLine),
    check('draws_counts', sql`${table.members} >= 0 and ${table.captainBerries} >= 0 and ${table.totalBerries} >= 0`),
  ],
);

/** Snapshot of a UTC day, immutable by trigger. Null: could not be read. */
export const overviewDays = pgTable('overview_days', {
  day: date('day', { mode: 'string' }).primaryKey(),
  /** Satoshi. */
  bridgeBtc: satoshiColumn('bridge_btc'),
  mintYu: weiColumn('mint_yu'),
  userCount: bigint('user_count', { mode: 'bigint' }),
  vaultBtc: weiColumn('vault_btc'),
  at: timestamptz('at').notNull(),
  block: bigint('block', { mode: 'bigint' }),
});

/** A view over open and closed troves (see its migration). Closed ones have zero figures. */
export const positions = pgTable('positions', {
  id: text('id').primaryKey(),
  troveManager: text('trove_manager').notNull(),
  troveId: weiColumn('trove_id').notNull(),
  owner: text('owner').notNull(),
  openedAt: timestamptz('opened_at').notNull(),
  collateral: weiColumn('collateral').notNull(),
  totalDebt: weiColumn('total_debt').notNull(),
  icr: weiColumn('icr').notNull(),
  liquidationPrice: weiColumn('liquidation_price').notNull(),
  status: text('status', { enum: ['open', 'closed'] }).notNull(),
});
