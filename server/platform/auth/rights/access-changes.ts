import { sql } from 'drizzle-orm';
import { accessChanges } from '../tables.ts';
import type { Tx } from '../../db/db.ts';

/** In the change's transaction. Open tabs then reload. */
export async function countAccessChange(tx: Tx): Promise<void> {
  await tx
    .insert(accessChanges)
    .values({ id: 1, value: 1 })
    .onConflictDoUpdate({ target: accessChanges.id, set: { value: sql`${accessChanges.value} + 1` } });
}
