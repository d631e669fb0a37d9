import { sql } from 'drizzle-orm';
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { timestamptz, bytea } from '../platform/db/columns.ts';
import { administrators } from '../platform/auth/tables.ts';

/** A CSV import: checked on upload, processed in batches, undone as a whole. */
export const imports = pgTable(
  'imports',
  {
    id: uuid('id').primaryKey(),
    version: integer('version').notNull().default(1),
    kind: text('kind', { enum: ['points', 'airdrops', 'teams', 'draws'] }).notNull(),
    name: text('name').notNull(),
    /** Of the original file, to recognize repetitions. */
    sha256: text('sha256').notNull(),
    bytes: integer('bytes').notNull(),
    /** JSON of the contract: reading, and the source of each field. */
    reading: text('reading').notNull(),
    head: text('head').notNull(),
    mapping: text('mapping').notNull(),
    fills: text('fills').notNull(),
    /** JSON: settled and open questions, totals and sample rows. */
    answers: text('answers').notNull(),
    questions: text('questions').notNull(),
    totals: text('totals').notNull(),
    preview: text('preview').notNull(),
    edited: integer('edited').notNull().default(0),
    state: text('state', { enum: ['checked', 'running', 'canceled', 'failed', 'done', 'undone'] }).notNull(),
    /** `good` and `bad` as of the check. */
    total: integer('total').notNull(),
    good: integer('good').notNull(),
    bad: integer('bad').notNull(),
    worked: integer('worked').notNull().default(0),
    imported: integer('imported').notNull().default(0),
    /** The last processed line. The next runner continues after it. */
    line: integer('line').notNull().default(0),
    /** The runner that holds the lease until `leasedUntil`. */
    runner: uuid('runner'),
    leasedUntil: timestamptz('leased_until'),
    /** Since the last successful batch. */
    attempts: integer('attempts').notNull().default(0),
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'set null' }),
    administratorEmail: text('administrator_email').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    startedAt: timestamptz('started_at'),
    endedAt: timestamptz('ended_at'),
    /** The earlier import of the same file that was confirmed at the start. */
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

/** Deleted when the import is done. */
export const importFiles = pgTable('import_files', {
  importId: uuid('import_id')
    .primaryKey()
    .references(() => imports.id, { onDelete: 'cascade' }),
  content: bytea('content').notNull(),
});

/** Refused rows, kept permanently. */
export const importRows = pgTable(
  'import_rows',
  {
    importId: uuid('import_id')
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    /** As a spreadsheet counts. */
    line: integer('line').notNull(),
    /** JSON: original cells, texts by field, and issues ([{ path, rule }]). */
    cells: text('cells').notNull(),
    texts: text('texts').notNull(),
    issues: text('issues').notNull(),
  },
  (table) => [primaryKey({ columns: [table.importId, table.line] })],
);

/** Repairs: texts that replace the file's cells. */
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
