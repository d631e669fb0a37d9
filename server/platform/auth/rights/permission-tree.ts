import { asc } from 'drizzle-orm';
import { permissionNodes } from '../tables.ts';
import type { Queries } from '../../db/db.ts';

export type PermissionNodeRow = typeof permissionNodes.$inferSelect;

export async function readTree(queries: Queries): Promise<PermissionNodeRow[]> {
  const rows = await queries.select().from(permissionNodes).orderBy(asc(permissionNodes.position), asc(permissionNodes.id));
  const byParent = new Map<string | null, PermissionNodeRow[]>();
  for (const row of rows) byParent.set(row.parentId, [...(byParent.get(row.parentId) ?? []), row]);
  const under = (parentId: string | null): PermissionNodeRow[] =>
    (byParent.get(parentId) ?? []).flatMap((row) => [row, ...under(row.id)]);
  return under(null);
}

export function subtree<Row extends { id: string; parentId: string | null }>(rows: readonly Row[], id: string): Row[] {
  const inside = new Set([id]);
  const parentOf = new Map(rows.map((row) => [row.id, row.parentId]));
  const isInside = (at: string | null | undefined): boolean => at != null && (inside.has(at) || isInside(parentOf.get(at)));
  return rows.filter((row) => isInside(row.id));
}
