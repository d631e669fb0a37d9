import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { moment, bytes } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

/** A CSV on its way into a table: checked when it comes, taken in batch by batch once it is started, undone as a whole. */
export const imports = pgTable(
  'imports',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    kind: text('kind', { enum: ['points', 'airdrops', 'teams', 'draws'] }).notNull(),
    name: text('name').notNull(),
    /** Of the file as it came, so that the same one is recognised. */
    sha256: text('sha256').notNull(),
    bytes: integer('bytes').notNull(),
    /** JSON, as the contract has them: how the bytes become a table, and which column or value fills each field. */
    reading: text('reading').notNull(),
    head: text('head').notNull(),
    mapping: text('mapping').notNull(),
    fills: text('fills').notNull(),
    /** JSON: questions that a person has settled, questions still open, totals and rows that the check found. */
    answers: text('answers').notNull(),
    questions: text('questions').notNull(),
    totals: text('totals').notNull(),
    preview: text('preview').notNull(),
    edited: integer('edited').notNull().default(0),
    state: text('state', { enum: ['checked', 'running', 'canceled', 'failed', 'done', 'undone'] }).notNull(),
    /** Rows of the file; of them good and bad when it was checked; worked on so far, and taken in. */
    total: integer('total').notNull(),
    good: integer('good').notNull(),
    bad: integer('bad').notNull(),
    worked: integer('worked').notNull().default(0),
    imported: integer('imported').notNull().default(0),
    /** The last processed line. The next runner continues after it. */
    line: integer('line').notNull().default(0),
    /** The runner that holds the lease until `leasedUntil`. */
    runner: uuid('runner'),
    leasedUntil: moment('leased_until'),
    /** Tries since the last batch that went in. */
    attempts: integer('attempts').notNull().default(0),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'set null' }),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: moment('created_at').notNull(),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
    /** The earlier import of the same file that was confirmed at the start; null for none. */
    again: uuid('again'),
  },
  (table) => [
    index('imports_kind_created').on(table.kind, table.createdAt, table.id),
    index('imports_file').on(table.kind, table.sha256),
    index('imports_state').on(table.state, table.leasedUntil),
    check(
      'imports_counts',
      sql`${table.imported} >= 0 and ${table.imported} <= ${table.worked} and ${table.worked} <= ${table.total}`,
    ),
  ],
);

/** The file of an import as it came, until it is done. */
export const importFiles = pgTable('import_files', {
  importId: uuid('import_id')
    .primaryKey()
    .references(() => imports.id, { onDelete: 'cascade' }),
  content: bytes('content').notNull(),
});

/** The rows that did not go in, for good. */
export const importRows = pgTable(
  'import_rows',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** As a spreadsheet counts: the head is 1. */
    line: integer('line').notNull(),
    /** JSON: the cells as they came, the text of each field, and what is wrong ([{ path, rule }]). */
    cells: text('cells').notNull(),
    texts: text('texts').notNull(),
    issues: text('issues').notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
);

/** Rows that a person repaired: the text of each field, in place of the file's cells. */
export const importEdits = pgTable(
  'import_edits',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    line: integer('line').notNull(),
    /** JSON: field to text. */
    texts: text('texts').notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
);
