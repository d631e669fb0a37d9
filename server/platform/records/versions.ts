import { asc, inArray, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { RequestContext } from '../services/context.ts';
import type { Tx } from '../db/db.ts';
import { appError } from '../core/errors.ts';

export type Versioned = PgTable & { id: PgColumn; version: PgColumn };
type RowOf<Table extends Versioned> = Table['$inferSelect'] & { id: string; version: number };

/** `version` is the one the person saw. */
export interface ItemVersion {
  id: string;
  version: number;
}

export interface FailedItem {
  id: string;
  code: 'CONFLICT' | 'NOT_FOUND' | 'INCOMPLETE';
}

export const nextVersion = ({ services }: Pick<RequestContext, 'services'>, table: { version: PgColumn }) => ({
  version: sql`${table.version} + 1`,
  updatedAt: new Date(services.now()),
});

export function requireRow<Row>([row]: readonly Row[]): Row {
  if (!row) throw new Error('the update returned no row');
  return row;
}

/** Throws NOT_FOUND, or CONFLICT with the current row. */
export async function lockRow<Table extends Versioned>(
  tx: Tx,
  table: Table,
  item: ItemVersion,
  present: (row: Table['$inferSelect']) => unknown,
): Promise<Table['$inferSelect']> {
  const row = (await readLocked(tx, table, [item.id])).get(item.id);
  if (!row) throw appError('NOT_FOUND');
  if (row.version !== item.version) throw appError('CONFLICT', { current: present(row) });
  return row;
}

/** Locks by id, which avoids deadlocks, and separates unchanged from changed rows. Throws the first failure if all changed. */
export async function lockRows<Table extends Versioned>(
  tx: Tx,
  table: Table,
  items: readonly ItemVersion[],
  present: (row: Table['$inferSelect']) => unknown,
): Promise<{ rows: Table['$inferSelect'][]; failed: FailedItem[] }> {
  const uniqueItems = [...new Map(items.map((item) => [item.id, item])).values()];
  const found = await readLocked(
    tx,
    table,
    uniqueItems.map(({ id }) => id),
  );
  const rows: Table['$inferSelect'][] = [];
  const failed: FailedItem[] = [];
  for (const { id, version } of uniqueItems) {
    const row = found.get(id);
    if (row?.version === version) rows.push(row);
    else failed.push({ id, code: row ? 'CONFLICT' : 'NOT_FOUND' });
  }
  const [first] = failed;
  if (rows.length > 0 || !first) return { rows, failed };
  const current = found.get(first.id);
  throw current ? appError('CONFLICT', { current: present(current) }) : appError('NOT_FOUND');
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
