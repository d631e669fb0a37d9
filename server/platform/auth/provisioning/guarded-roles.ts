import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Queries } from '../../db/db.ts';
import { isGuarded } from '../rights/guarded-rights.ts';
import { readGrantedIdentifiers } from '../rights/permissions.ts';
import { anyAddress } from '../rights/role-networks.ts';
import { administrators, permissionNodes, provisioned, roleNodes } from '../tables.ts';

/** Guarded permissions by role. A role without them is missing. */
export async function readGuardedRights(queries: Queries, roleIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  const rows = await queries
    .select({ roleId: roleNodes.roleId, identifier: permissionNodes.identifier })
    .from(roleNodes)
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(inArray(roleNodes.roleId, [...roleIds]));
  const guardedByRole = new Map<string, string[]>();
  for (const { roleId, identifier } of rows)
    if (isGuarded(identifier)) guardedByRole.set(roleId, [...(guardedByRole.get(roleId) ?? []), identifier]);
  return guardedByRole;
}

/** Whether one of the person's roles grants a guarded permission. */
export async function isGuardedAccount(queries: Queries, administratorId: string): Promise<boolean> {
  return [...(await readGrantedIdentifiers(queries, administratorId, anyAddress))].some(isGuarded);
}

/** Those of the accounts that the provider manages. */
export async function readManagedIds(queries: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await queries
    .select({ id: provisioned.administratorId })
    .from(provisioned)
    .innerJoin(administrators, eq(administrators.id, provisioned.administratorId))
    .where(and(inArray(provisioned.administratorId, [...ids]), isNull(administrators.deletedAt)));
  return new Set(rows.map(({ id }) => id));
}
