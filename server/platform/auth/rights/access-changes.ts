import { sql } from 'drizzle-orm';
import { accessChanges } from '../tables.ts';
import type { Tx } from '../../db/db.ts';

/** Notes, in the transaction of the change, that somebody's rights or the menu are others than before: open tabs follow. */
export async function countAccessChange(tx: Tx): Promise<void> {
  await tx
    .insert(accessChanges)
    .values({ id: 1, value: 1 })
    .onConflictDoUpdate({ target: accessChanges.id, set: { value: sql`${accessChanges.value} + 1` } });
}
