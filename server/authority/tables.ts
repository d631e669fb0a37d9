import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { administrators } from '../platform/auth/tables.ts';
import { timestamptz } from '../platform/db/columns.ts';

/** One line per row, canonical JSON (api/authority/canonical.ts). Triggers keep it append-only. */
export const authorityLines = pgTable('authority_lines', {
  number: integer('number').primaryKey(),
  hash: text('hash').notNull().unique(),
  line: text('line').notNull(),
  at: timestamptz('at').notNull(),
});

/** List rows derived from the log, and unsigned drafts, which exist only here. */
export const authorityStatements = pgTable(
  'authority_statements',
  {
    id: text('id').primaryKey(),
    /** Line number, or milliseconds since 1970 for drafts, which sort after all lines. */
    position: bigint('position', { mode: 'number' }).notNull(),
    number: integer('number'),
    line: integer('line'),
    kind: text('kind').notNull(),
    statement: text('statement').notNull(),
    text: text('text').notNull(),
    expires: timestamptz('expires').notNull(),
    passedAt: timestamptz('passed_at'),
    countsFrom: timestamptz('counts_from'),
    draftedBy: uuid('drafted_by').references(() => administrators.id, { onDelete: 'cascade' }),
    draftedAt: timestamptz('drafted_at'),
    /** For a draft that enrolls a key: the owner's proof. */
    ownerProof: text('owner_proof'),
  },
  (table) => [
    index('authority_statements_position').on(table.position, table.id),
    index('authority_statements_kind').on(table.kind, table.position, table.id),
    index('authority_statements_line').on(table.line),
    index('authority_statements_drafts')
      .on(table.draftedBy, table.expires)
      .where(sql`${table.number} is null`),
    index('authority_statements_text_grams').using('gin', sql`text_grams(${table.text})`),
  ],
);
