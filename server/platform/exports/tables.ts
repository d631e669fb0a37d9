import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { exportFormats } from '../../../api/base.ts';
import { exportProblems, exportStates } from '../../../api/exports/contract.ts';
import { administrators, serviceAccounts, serviceTokens } from '../auth/tables.ts';
import { bytea, timestamptz } from '../db/columns.ts';

/** A job that writes the rows of a list to a file, for the person or service account that started it. */
export const exportJobs = pgTable(
  'exports',
  {
    id: uuid('id').primaryKey(),
    /** Null for a service account. */
    administratorId: uuid('administrator_id').references(() => administrators.id, { onDelete: 'cascade' }),
    serviceAccountId: uuid('service_account_id').references(() => serviceAccounts.id, { onDelete: 'cascade' }),
    /** The token that started it, whose scopes are checked until the end. */
    tokenId: uuid('token_id').references(() => serviceTokens.id, { onDelete: 'cascade' }),
    /** `service:<name>` for a service account. */
    administratorEmail: text('administrator_email').notNull(),
    list: text('list').notNull(),
    format: text('format', { enum: exportFormats }).notNull(),
    /** JSON of the list's export route: sorting, filter, language and zone. */
    input: text('input').notNull(),
    /** Upper bound for tables that grow with each request. */
    through: bigint('through', { mode: 'number' }).notNull(),
    state: text('state', { enum: exportStates }).notNull(),
    problem: text('problem', { enum: exportProblems }),
    total: integer('total').notNull(),
    written: integer('written').notNull().default(0),
    bytes: bigint('bytes', { mode: 'number' }).notNull().default(0),
    /** The runner that holds the lease until `leasedUntil`. */
    runner: uuid('runner'),
    leasedUntil: timestamptz('leased_until'),
    attempts: integer('attempts').notNull().default(0),
    createdAt: timestamptz('created_at').notNull(),
    endedAt: timestamptz('ended_at'),
    expiresAt: timestamptz('expires_at'),
  },
  (table) => [
    index('exports_person').on(table.administratorId, table.createdAt, table.id),
    index('exports_state').on(table.state, table.leasedUntil),
    check('exports_counts', sql`${table.written} >= 0 and ${table.bytes} >= 0`),
    check(
      'exports_starter',
      sql`num_nonnulls(${table.administratorId}, ${table.serviceAccountId}) = 1 and (${table.serviceAccountId} is null) = (${table.tokenId} is null)`,
    ),
  ],
);

/** CSV is stored gzipped. Deleted when the export expires. */
export const exportParts = pgTable(
  'export_parts',
  {
    exportId: uuid('export_id')
      .notNull()
      .references(() => exportJobs.id, { onDelete: 'cascade' }),
    number: integer('number').notNull(),
    content: bytea('content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.exportId, table.number] })],
);
