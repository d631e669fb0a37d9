import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { GroupSource } from '../../../../api/access/identity-values.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { administratorRoles, administrators, groupRoles, provisioned, roles, scimGroupMembers } from '../tables.ts';
import { readGuardedRights } from './guarded-roles.ts';

export interface MappedRoles {
  roleIds: ReadonlySet<string>;
  /** Mapped, but not given: roles with guarded permissions. */
  skippedRoleIds: ReadonlySet<string>;
}

/** Roles of these groups. Guarded ones are never given, however their mapping came to be. */
export async function readMappedRoles(queries: Queries, source: GroupSource, values: readonly string[]): Promise<MappedRoles> {
  if (values.length === 0) return { roleIds: new Set(), skippedRoleIds: new Set() };
  const rows = await queries
    .selectDistinct({ roleId: groupRoles.roleId })
    .from(groupRoles)
    .where(and(eq(groupRoles.source, source), inArray(groupRoles.value, [...values])));
  const ids = rows.map(({ roleId }) => roleId);
  const guardedRights = await readGuardedRights(queries, ids);
  return {
    roleIds: new Set(ids.filter((id) => !guardedRights.has(id))),
    skippedRoleIds: new Set(ids.filter((id) => guardedRights.has(id))),
  };
}

/** Of the person's SCIM groups. None for a leaver and for an account that the provider doesn't manage. */
export async function readScimRoles(queries: Queries, administratorId: string): Promise<MappedRoles> {
  const rows = await queries
    .select({ groupId: scimGroupMembers.groupId })
    .from(scimGroupMembers)
    .innerJoin(provisioned, eq(provisioned.administratorId, scimGroupMembers.administratorId))
    .where(and(eq(scimGroupMembers.administratorId, administratorId), eq(provisioned.active, true)));
  return readMappedRoles(
    queries,
    'scim',
    rows.map(({ groupId }) => groupId),
  );
}

/** For the audit. */
export async function readRoleNamesById(queries: Queries, ids: Iterable<string>): Promise<string[]> {
  const rows = await queries
    .select({ name: roles.name })
    .from(roles)
    .where(inArray(roles.id, [...ids]))
    .orderBy(asc(roles.name));
  return rows.map(({ name }) => name);
}

export interface RoleChange {
  before: string[];
  after: string[];
}

/** Replaces what the provider gave. Roles given in the panel stay. Null if nothing changed. Needs the access lock. */
export async function replaceProviderRoles(
  tx: Tx,
  administratorId: string,
  roleIds: Iterable<string>,
): Promise<RoleChange | null> {
  const before = await readProviderRoles(tx, administratorId);
  const after = [...new Set(roleIds)].toSorted();
  if (before.join() === after.join()) return null;
  const removedIds = before.filter((id) => !after.includes(id));
  const addedIds = after.filter((id) => !before.includes(id));
  if (removedIds.length > 0)
    await tx.delete(administratorRoles).where(and(isGivenBy(administratorId), inArray(administratorRoles.roleId, removedIds)));
  if (addedIds.length > 0)
    await tx
      .insert(administratorRoles)
      .values(addedIds.map((roleId) => ({ administratorId, roleId, givenBy: 'idp' as const })))
      .onConflictDoNothing();
  await tx
    .update(administrators)
    .set({ version: sql`${administrators.version} + 1` })
    .where(eq(administrators.id, administratorId));
  return { before, after };
}

export async function readProviderRoles(queries: Queries, administratorId: string): Promise<string[]> {
  const rows = await queries
    .select({ roleId: administratorRoles.roleId })
    .from(administratorRoles)
    .where(isGivenBy(administratorId));
  return rows.map(({ roleId }) => roleId).toSorted();
}

const isGivenBy = (administratorId: string) =>
  and(eq(administratorRoles.administratorId, administratorId), eq(administratorRoles.givenBy, 'idp'));

/**
 * After a change of groups or mappings. Roles of a sign-in's claim stay until the next sign-in, but a role of a left group goes
 * now.
 */
export async function applyScimRoles(
  tx: Tx,
  administratorId: string,
  previousRoles: MappedRoles,
): Promise<{ change: RoleChange | null; skippedRoleIds: ReadonlySet<string> }> {
  const { roleIds, skippedRoleIds } = await readScimRoles(tx, administratorId);
  const claimedIds = (await readProviderRoles(tx, administratorId)).filter((id) => !previousRoles.roleIds.has(id));
  const guardedRights = await readGuardedRights(tx, claimedIds);
  const keptIds = claimedIds.filter((id) => !guardedRights.has(id));
  return { change: await replaceProviderRoles(tx, administratorId, [...keptIds, ...roleIds]), skippedRoleIds };
}
