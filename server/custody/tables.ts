import { sql } from 'drizzle-orm';
import { boolean, check, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { reserveProblems } from '../../api/custody/reserve.ts';
import { moment, wei } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

/**
 * Deposited, minted and supply did not agree, or a person froze money: money commands wait until somebody has said why. One of
 * each kind may be open.
 */
export const moneyFreezes = pgTable(
  'money_freezes',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['difference', 'manual'] })
      .notNull()
      .default('difference'),
    /** Of a manual one: who froze, and why. */
    openedBy: uuid('opened_by').references(() => administrators.id, { onDelete: 'set null' }),
    openedEmail: text('opened_email'),
    openedReason: text('opened_reason'),
    /** JSON of the figures as they were. */
    figures: text('figures').notNull(),
    at: moment('at').notNull(),
    resolvedAt: moment('resolved_at'),
    resolvedBy: uuid('resolved_by').references(() => administrators.id, { onDelete: 'set null' }),
    reason: text('reason'),
    /** Wei that the supply has too much or (below zero) too little, and minted against deposited, when it was opened. */
    supplyOff: wei('supply_off')
      .notNull()
      .default(sql`0`),
    ledgerOff: wei('ledger_off')
      .notNull()
      .default(sql`0`),
    /** Accepted with its reason, and the difference is there still: just this one opens no other freeze. */
    standing: boolean('standing').notNull().default(false),
  },
  (table) => [
    uniqueIndex('money_freezes_open')
      .on(table.kind)
      .where(sql`${table.resolvedAt} is null`),
  ],
);

/** The newest proof of reserve as the signer signed it, and why there is no newer one. One row; the signer alone writes it. */
export const reserveProofs = pgTable(
  'reserve_proofs',
  {
    id: integer('id').primaryKey().default(1),
    /** Canonical JSON of `signedReserve`; null before the first. */
    signed: text('signed'),
    at: moment('at'),
    problem: text('problem', { enum: reserveProblems }),
    details: text('details'),
    problemAt: moment('problem_at'),
  },
  (table) => [check('reserve_proofs_one', sql`${table.id} = 1`)],
);

/** Whose deposits there are: every address a deposit ever named (a trigger sees to it), and what people call it. */
export const institutions = pgTable(
  'institutions',
  {
    /** The address, EIP-55. */
    id: text('address').primaryKey(),
    version: integer('version').notNull().default(1),
    name: text('name').notNull().default(''),
    createdAt: moment('created_at').notNull(),
    updatedAt: moment('updated_at').notNull(),
  },
  (table) => [
    index('institutions_created').on(table.createdAt, table.id),
    index('institutions_name').on(table.name, table.id),
    index('institutions_address_start').on(sql`lower(${table.id}) text_pattern_ops`),
  ],
);
