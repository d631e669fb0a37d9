import { createHash } from 'node:crypto';
import { asc, type SQL } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { maxMatching } from '../../../api/bulk.ts';
import type { RequestContext } from '../services/context.ts';
import { createAppError } from '../core/errors.ts';
import type { ItemVersion } from './versions.ts';

/** With versions. Throws DRIFTED if number or seal differ from what the person saw, so that no new row is included. */
export async function readMatchingRows(
  { db }: RequestContext,
  { expected, seal: knownSeal }: { expected: number; seal: string | null },
  table: PgTable & { id: PgColumn; version: PgColumn },
  where: SQL | undefined,
): Promise<{ seal: string; items: ItemVersion[] }> {
  const matchingItems = await db
    .select({ id: table.id, version: table.version })
    .from(table as PgTable)
    .where(where)
    .orderBy(asc(table.id))
    .limit(maxMatching + 1);
  const items = matchingItems as ItemVersion[];
  const seal = createHash('sha256')
    .update(items.map(({ id }) => id).join())
    .digest('base64url');
  if (items.length !== expected || (knownSeal !== null && knownSeal !== seal))
    throw createAppError('DRIFTED', { count: items.length });
  return { seal, items };
}
