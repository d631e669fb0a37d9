import { asc, inArray, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { RequestContext } from '../services/context.ts';
import type { Tx } from '../db/db.ts';
import { createAppError } from '../core/errors.ts';

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

export const nextVersionColumns = ({ services }: Pick<RequestContext, 'services'>, table: { version: PgColumn }) => ({
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
  presentRow: (row: Table['$inferSelect']) => unknown,
): Promise<Table['$inferSelect']> {
  const row = (await readLocked(tx, table, [item.id])).get(item.id);
  if (!row) throw createAppError('NOT_FOUND');
  if (row.version !== item.version) throw createAppError('CONFLICT', { current: presentRow(row) });
  return row;
}

/** Locks by id, which avoids deadlocks, and separates unchanged from changed rows. Throws the first failure if all changed. */
export async function lockRows<Table extends Versioned>(
  tx: Tx,
  table: Table,
  items: readonly ItemVersion[],
  presentRow: (row: Table['$inferSelect']) => unknown,
): Promise<{ rows: Table['$inferSelect'][]; failed: FailedItem[] }> {
  const uniqueItems = [...new Map(items.map((item) => [item.id, item])).values()];
  const foundRows = await readLocked(
    tx,
    table,
    uniqueItems.map(({ id }) => id),
  );
  const rows: Table['$inferSelect'][] = [];
  const failedItems: FailedItem[] = [];
  for (const { id, version } of uniqueItems) {
    const row = foundRows.get(id);
    if (row?.version === version) rows.push(row);
    else failedItems.push({ id, code: row ? 'CONFLICT' : 'NOT_FOUND' });
  }
  const [firstFailed] = failedItems;
  if (rows.length > 0 || !firstFailed) return { rows, failed: failedItems };
  const currentRow = foundRows.get(firstFailed.id);
  throw currentRow ? createAppError('CONFLICT', { current: presentRow(currentRow) }) : createAppError('NOT_FOUND');
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
