import { asc, inArray, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { RequestContext } from '../core/context.ts';
import type { Tx } from '../db/db.ts';
import { failure } from '../core/errors.ts';

/** A table whose rows carry a version. */
export type Versioned = PgTable & { id: PgColumn; version: PgColumn };
type RowOf<Table extends Versioned> = Table['$inferSelect'] & { id: string; version: number };

/** A row as a write names it: the id, and the version that was seen. */
export interface Item {
  id: string;
  version: number;
}

export interface FailedItem {
  id: string;
  code: 'CONFLICT' | 'NOT_FOUND' | 'INCOMPLETE';
}

/** What every change of a row sets beside its fields. */
export const nextVersion = ({ services }: Pick<RequestContext, 'services'>, table: { version: PgColumn }) => ({
  version: sql`${table.version} + 1`,
  updatedAt: new Date(services.now()),
});

/** The one row an insert or update gave back. */
export function returned<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('the update returned no row');
  return row;
}

/**
 * Locks one row for the transaction and checks that it still is as it was seen.
 * Throws NOT_FOUND, or CONFLICT with the current row as `present` shows it.
 */
export async function lockRow<Table extends Versioned>(
  tx: Tx,
  table: Table,
  item: Item,
  present: (row: Table['$inferSelect']) => unknown,
): Promise<Table['$inferSelect']> {
  const row = (await readLocked(tx, table, [item.id])).get(item.id);
  if (!row) throw failure('NOT_FOUND');
  if (row.version !== item.version) throw failure('CONFLICT', { current: present(row) });
  return row;
}

/**
 * Locks many rows, in the order of their ids so that two such writes cannot deadlock, and parts them into those that
 * are as they were seen and those that are not. When none is, throws the first failure instead.
 */
export async function lockRows<Table extends Versioned>(
  tx: Tx,
  table: Table,
  items: readonly Item[],
  present: (row: Table['$inferSelect']) => unknown,
): Promise<{ rows: Table['$inferSelect'][]; failed: FailedItem[] }> {
  const asked = [...new Map(items.map((item) => [item.id, item])).values()];
  const found = await readLocked(
    tx,
    table,
    asked.map(({ id }) => id),
  );
  const rows: Table['$inferSelect'][] = [];
  const failed: FailedItem[] = [];
  for (const { id, version } of asked) {
    const row = found.get(id);
    if (row?.version === version) rows.push(row);
    else failed.push({ id, code: row ? 'CONFLICT' : 'NOT_FOUND' });
  }
  const [first] = failed;
  if (rows.length > 0 || !first) return { rows, failed };
  const current = found.get(first.id);
  throw current ? failure('CONFLICT', { current: present(current) }) : failure('NOT_FOUND');
}

async function readLocked<Table extends Versioned>(
  tx: Tx,
  table: Table,
  ids: readonly string[],
): Promise<Map<string, RowOf<Table>>> {
  const rows = await tx
    .select()
    .from(table as PgTable)
    .where(inArray(table.id, [...ids]))
    .orderBy(asc(table.id))
    .for('update');
  return new Map((rows as RowOf<Table>[]).map((row) => [row.id, row]));
}
