import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { reserveProblems } from '../../api/custody/reserve.ts';
import { timestamptz, weiColumn } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

/** At most one per kind is open. Blocks money commands. */
export const moneyFreezes = pgTable(
  'money_freezes',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['difference', 'manual'] })
      .notNull()
      .default('difference'),
    /** For a freeze by hand. */
    openedBy: uuid('opened_by').references(() => administrators.id, { onDelete: 'set null' }),
    openedEmail: text('opened_email'),
    openedReason: text('opened_reason'),
    /** JSON at the opening. */
    figures: text('figures').notNull(),
    at: timestamptz('at').notNull(),
    resolvedAt: timestamptz('resolved_at'),
    resolvedBy: uuid('resolved_by').references(() => administrators.id, { onDelete: 'set null' }),
    reason: text('reason'),
    /** Wei at the opening: supply minus expected, and minted minus deposited. */
    supplyOff: weiColumn('supply_off')
      .notNull()
      .default(sql`0`),
    ledgerOff: weiColumn('ledger_off')
      .notNull()
      .default(sql`0`),
    /** Accepted, and the difference still exists: it opens no other freeze. */
    standing: boolean('standing').notNull().default(false),
  },
  (table) => [
    uniqueIndex('money_freezes_open')
      .on(table.kind)
      .where(sql`${table.resolvedAt} is null`),
  ],
);

/** One row, written only by the signer. */
export const reserveProofs = pgTable(
  'reserve_proofs',
  {
    id: integer('id').primaryKey().default(1),
    /** Canonical JSON of `signedReserve`. */
    signed: text('signed'),
    at: timestamptz('at'),
    problem: text('problem', { enum: reserveProblems }),
    details: text('details'),
    problemAt: timestamptz('problem_at'),
  },
  (table) => [check('reserve_proofs_one', sql`${table.id} = 1`)],
);

/** Every address a deposit ever named (by trigger), with its name. */
export const institutions = pgTable(
  'institutions',
  {
    /** The address, EIP-55. */
    id: text('address').primaryKey(),
    version: integer('version').notNull().default(1),
    name: text('name').notNull().default(''),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    index('institutions_created').on(table.createdAt, table.id),
    index('institutions_name').on(table.name, table.id),
    index('institutions_address_start').on(sql`lower(${table.id}) text_pattern_ops`),
  ],
);
