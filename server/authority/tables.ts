import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { administrators } from '../platform/auth/tables.ts';
import { moment } from '../platform/db/columns.ts';

/** The authority log, a line a row, in canonical JSON (api/authority/canonical.ts). Triggers keep it append-only. */
export const authorityLines = pgTable('authority_lines', {
  number: integer('number').primaryKey(),
  hash: text('hash').notNull().unique(),
  line: text('line').notNull(),
  at: moment('at').notNull(),
});

/**
 * What lists show: every statement of the log, as the lines leave it, and the drafts that nobody has signed. It follows from the log
 * and can be made again; only drafts are nowhere else.
 */
export const authorityStatements = pgTable(
  'authority_statements',
  {
    /** The statement's hash. */
    id: text('id').primaryKey(),
    /** The number of its line; of a draft milliseconds since 1970, so that drafts stand behind all lines. */
    position: bigint('position', { mode: 'number' }).notNull(),
    /** The line that brought it in; null: a draft. */
    number: integer('number'),
    /** The last line that changed it. */
    line: integer('line'),
    kind: text('kind').notNull(),
    statement: text('statement').notNull(),
    /** What a search looks through. */
    text: text('text').notNull(),
    expires: moment('expires').notNull(),
    /** When enough had signed, and from when it counts. */
    passedAt: moment('passed_at'),
    countsFrom: moment('counts_from'),
    draftedBy: uuid('drafted_by').references(() => administrators.id, { onDelete: 'cascade' }),
    draftedAt: moment('drafted_at'),
    /** Of a draft that enrols a key: the proof that its owner has it. */
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
