import { and, eq, lt } from 'drizzle-orm';
import type { Services } from '../platform/services/context.ts';
import { imports } from './tables.ts';

const retentionMs = 7 * 86_400_000;

/** Deletes imports that were not started within a week, because their files may hold personal data. */
export async function deleteExpiredDrafts({ database: { db }, now }: Services): Promise<void> {
  await db.delete(imports).where(and(eq(imports.state, 'checked'), lt(imports.createdAt, new Date(now() - retentionMs))));
}
