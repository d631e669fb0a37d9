import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, unique, uuid, type AnyPgColumn } from 'drizzle-orm/pg-core';
import { timestamptz } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';
import { imports } from '../imports/tables.ts';

/** Append-only by trigger; corrected by reversals. */
export const points = pgTable(
  'points',
  {
    id: uuid('id').primaryKey(),
    /** EIP-55 spelling. */
    address: text('address').notNull(),
    /** Whole, nonzero. */
    berries: bigint('berries', { mode: 'bigint' }).notNull(),
    reason: text('reason').notNull(),
    source: text('source', { enum: ['adjustment', 'import', 'reversal'] }).notNull(),
    /** At most one reversal per entry. */
    reverses: uuid('reverses')
      .unique()
      .references((): AnyPgColumn => points.id),
    importId: uuid('import_id').references(() => imports.id),
    importLine: integer('import_line'),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'set null' }),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    index('points_created').on(table.createdAt, table.id),
    index('points_address').on(table.address, table.createdAt, table.id),
    index('points_source_created').on(table.source, table.createdAt, table.id),
    index('points_size').on(table.berries, table.id),
    index('points_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    index('points_reason_grams').using('gin', sql`text_grams(${table.reason})`),
    unique('points_import_line').on(table.importId, table.importLine),
    check('points_berries', sql`${table.berries} <> 0`),
    check('points_reversal', sql`(${table.source} = 'reversal') = (${table.reverses} is not null)`),
  ],
);

/** Updated with each entry. */
export const pointBalances = pgTable(
  'point_balances',
  {
    address: text('address').primaryKey(),
    berries: bigint('berries', { mode: 'bigint' }).notNull(),
    entries: integer('entries').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    index('point_balances_berries').on(table.berries, table.address),
    index('point_balances_updated').on(table.updatedAt, table.address),
    index('point_balances_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    check('point_balances_positive', sql`${table.berries} >= 0`),
  ],
);

export const airdrops = pgTable(
  'airdrops',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    /** EIP-55 spelling. */
    address: text('address').notNull(),
    berries: bigint('berries', { mode: 'bigint' }).notNull(),
    nftNumber: integer('nft_number').notNull(),
    nftLevel: integer('nft_level').notNull(),
    stage: text('stage').notNull(),
    importId: uuid('import_id').references(() => imports.id),
    importLine: integer('import_line'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    index('airdrops_created').on(table.createdAt, table.id),
    index('airdrops_address').on(table.address, table.createdAt, table.id),
    index('airdrops_address_start').on(sql`lower(${table.address}) text_pattern_ops`),
    index('airdrops_berries').on(table.berries, table.id),
    index('airdrops_stage').on(table.stage, table.createdAt, table.id),
    index('airdrops_level').on(table.nftLevel, table.createdAt, table.id),
    unique('airdrops_import_line').on(table.importId, table.importLine),
    check('airdrops_counts', sql`${table.berries} >= 0 and ${table.nftNumber} >= 0 and ${table.nftLevel} >= 0`),
  ],
);
