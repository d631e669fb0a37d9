import { asc } from 'drizzle-orm';
import { permissionNodes } from '../tables.ts';
import type { Queries } from '../../db/db.ts';

export type PermissionNodeRow = typeof permissionNodes.$inferSelect;

export async function readTree(queries: Queries): Promise<PermissionNodeRow[]> {
  const rows = await queries.select().from(permissionNodes).orderBy(asc(permissionNodes.position), asc(permissionNodes.id));
  const byParent = new Map<string | null, PermissionNodeRow[]>();
  for (const row of rows) byParent.set(row.parentId, [...(byParent.get(row.parentId) ?? []), row]);
  const childrenOf = (parentId: string | null): PermissionNodeRow[] =>
    (byParent.get(parentId) ?? []).flatMap((row) => [row, ...childrenOf(row.id)]);
  return childrenOf(null);
}

export function collectSubtree<Row extends { id: string; parentId: string | null }>(rows: readonly Row[], id: string): Row[] {
  const subtreeIds = new Set([id]);
  const parentOf = new Map(rows.map((row) => [row.id, row.parentId]));
  const isInSubtree = (nodeId: string | null | undefined): boolean =>
    nodeId != null && (subtreeIds.has(nodeId) || isInSubtree(parentOf.get(nodeId)));
  return rows.filter((row) => isInSubtree(row.id));
}
