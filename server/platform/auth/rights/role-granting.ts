import { and, eq, inArray, notInArray } from 'drizzle-orm';
import { administratorRoles, grantableRoles, permissionNodes, roleNodes, roles } from '../tables.ts';
import type { Person } from '../../services/context.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { createAppError } from '../../core/errors.ts';
import { isGuarded } from './guarded-rights.ts';
import { readGrantedIdentifiers } from './permissions.ts';
import { roleCounts, unknownAddress } from './role-networks.ts';

/** Identifiers that stop the actor from giving the role. Empty if the actor may give it. */
export type MissingPermissionsOf = (roleId: string) => readonly string[];

/**
 * A role may be given by people who hold all its permissions, and by holders of a role that lists it as grantable. The list never
 * covers guarded permissions. A role counts with all roles that its holders could give in turn. Lists of
 * the actor's roles count in the networks of these roles.
 */
export async function readRoleGranting(
  queries: Queries,
  { id, granted, calledFrom = unknownAddress }: Pick<Person, 'id' | 'granted' | 'calledFrom'>,
): Promise<MissingPermissionsOf> {
  const ownRoles = await queries
    .select({ roleId: administratorRoles.roleId })
    .from(administratorRoles)
    .innerJoin(roles, and(eq(roles.id, administratorRoles.roleId), roleCounts(roles.networks, calledFrom)))
    .where(eq(administratorRoles.administratorId, id));
  const grantableByRole = new Map<string, string[]>();
  for (const { roleId, grantableId } of await queries.select().from(grantableRoles))
    grantableByRole.set(roleId, [...(grantableByRole.get(roleId) ?? []), grantableId]);
  const missingByRole = new Map<string, string[]>();
  const rows = await queries
    .select({ roleId: roleNodes.roleId, identifier: permissionNodes.identifier })
    .from(roleNodes)
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(granted.size === 0 ? undefined : notInArray(permissionNodes.identifier, [...granted]));
  for (const { roleId, identifier } of rows) missingByRole.set(roleId, [...(missingByRole.get(roleId) ?? []), identifier]);

  const directlyGrantable = new Set(ownRoles.flatMap(({ roleId }) => grantableByRole.get(roleId) ?? []));
  const transitivelyGrantable = findReachable(grantableByRole, directlyGrantable);
  const blockingPermissions = (roleId: string, grantableIds: ReadonlySet<string>) => {
    const missingPermissions = missingByRole.get(roleId) ?? [];
    return grantableIds.has(roleId) ? missingPermissions.filter(isGuarded) : missingPermissions;
  };
  return (roleId) => {
    const laterRoles = [...findReachable(grantableByRole, grantableByRole.get(roleId) ?? [])];
    const missingPermissions = [
      ...blockingPermissions(roleId, directlyGrantable),
      ...laterRoles.flatMap((laterRoleId) => blockingPermissions(laterRoleId, transitivelyGrantable)),
    ];
    return [...new Set(missingPermissions)].toSorted();
  };
}

/** `startNodes` and everything that follows it. */
function findReachable(grantableByRole: ReadonlyMap<string, readonly string[]>, startNodes: Iterable<string>): Set<string> {
  const reachedNodes = new Set(startNodes);
  for (const roleId of reachedNodes) for (const node of grantableByRole.get(roleId) ?? []) reachedNodes.add(node);
  return reachedNodes;
}

const readCurrentRoleGranting = async (tx: Tx, actor: Pick<Person, 'id' | 'calledFrom'>) =>
  readRoleGranting(tx, { ...actor, granted: await readGrantedIdentifiers(tx, actor.id, actor.calledFrom ?? unknownAddress) });

/** Throws GRANT_BEYOND_OWN unless the actor may give every role. */
export async function assertMayGrantRoles(tx: Tx, actor: Person, roleIds: readonly string[]): Promise<void> {
  const missingPermissionsOf = await readCurrentRoleGranting(tx, actor);
  const identifiers = [...new Set(roleIds.flatMap(missingPermissionsOf))].toSorted();
  if (identifiers.length > 0) throw createAppError('GRANT_BEYOND_OWN', { identifiers });
}

/** Throws HOLDS_MORE if the person has a role that the actor may not give. */
export async function assertMayManage(tx: Tx, actor: Pick<Person, 'id' | 'calledFrom'>, administratorId: string): Promise<void> {
  const missingPermissionsOf = await readCurrentRoleGranting(tx, actor);
  const roleIds = (await readRoleIds(tx, [administratorId])).get(administratorId) ?? [];
  const identifiers = [...new Set(roleIds.flatMap(missingPermissionsOf))].toSorted();
  if (identifiers.length > 0) throw createAppError('HOLDS_MORE', { id: administratorId, identifiers });
}

export async function readRoleIds(queries: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await queries
    .selectDistinct({ administratorId: administratorRoles.administratorId, roleId: administratorRoles.roleId })
    .from(administratorRoles)
    .where(inArray(administratorRoles.administratorId, [...ids]));
  const rolesByHolder = new Map<string, string[]>();
  for (const { administratorId, roleId } of rows)
    rolesByHolder.set(administratorId, [...(rolesByHolder.get(administratorId) ?? []), roleId]);
  return rolesByHolder;
}
