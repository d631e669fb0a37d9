import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { GroupSource } from '../../../../api/access/identity-values.ts';
import type { AuditEntry } from '../../audit/system-audit.ts';
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

/** Those of a claim that have a role, sorted. */
export async function readMappedGroups(queries: Queries, groups: readonly string[]): Promise<string[]> {
  if (groups.length === 0) return [];
  const rows = await queries
    .selectDistinct({ value: groupRoles.value })
    .from(groupRoles)
    .where(and(eq(groupRoles.source, 'claim'), inArray(groupRoles.value, [...groups])))
    .orderBy(asc(groupRoles.value));
  return rows.map(({ value }) => value);
}

/** Of the person's SCIM groups. None for an account that the provider disabled or doesn't manage. */
export const readScimRoles = async (queries: Queries, administratorId: string): Promise<MappedRoles> =>
  (await readScimRolesByPerson(queries, [administratorId])).get(administratorId) ?? noRoles;

const noRoles: MappedRoles = { roleIds: new Set(), skippedRoleIds: new Set() };

/** As `readScimRoles`, of each of them. */
export async function readScimRolesByPerson(
  queries: Queries,
  administratorIds: readonly string[],
): Promise<ReadonlyMap<string, MappedRoles>> {
  const rows = await queries
    .selectDistinct({ administratorId: scimGroupMembers.administratorId, roleId: groupRoles.roleId })
    .from(scimGroupMembers)
    .innerJoin(provisioned, and(eq(provisioned.administratorId, scimGroupMembers.administratorId), provisioned.active))
    .innerJoin(administrators, and(eq(administrators.id, provisioned.administratorId), isNull(administrators.deletedAt)))
    .innerJoin(groupRoles, and(eq(groupRoles.source, 'scim'), sql`${groupRoles.value} = ${scimGroupMembers.groupId}::text`))
    .where(isOneOf(scimGroupMembers.administratorId, administratorIds));
  const guardedRights = await readGuardedRights(queries, [...new Set(rows.map(({ roleId }) => roleId))]);
  const rolesByPerson = new Map(
    administratorIds.map((id) => [id, { roleIds: new Set<string>(), skippedRoleIds: new Set<string>() }]),
  );
  for (const { administratorId, roleId } of rows) {
    const mapped = rolesByPerson.get(administratorId);
    (guardedRights.has(roleId) ? mapped?.skippedRoleIds : mapped?.roleIds)?.add(roleId);
  }
  return rolesByPerson;
}

/** One parameter, however many there are. */
const isOneOf = (column: PgColumn, ids: readonly string[]) => sql`${column} = any(${sql.param([...ids])}::uuid[])`;

/** For the audit. */
export const readRoleNamesById = async (queries: Queries, ids: Iterable<string>): Promise<string[]> => [
  ...(await readRoleNames(queries, ids)).values(),
];

/** By ID, in the order of the names. */
export async function readRoleNames(queries: Queries, ids: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const rows = await queries
    .select({ id: roles.id, name: roles.name })
    .from(roles)
    .where(inArray(roles.id, [...ids]))
    .orderBy(asc(roles.name));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface RoleChange {
  before: string[];
  after: string[];
}

/** The audit row of one person. `skipped`: mapped, but guarded. */
export async function describeRoleChange(
  queries: Queries,
  { id, email }: { id: string; email: string },
  { before, after, skipped = new Set() }: RoleChange & { skipped?: ReadonlySet<string> },
): Promise<AuditEntry> {
  const roleChange = {
    administrator: id,
    before: await readRoleNamesById(queries, before),
    after: await readRoleNamesById(queries, after),
    skipped: await readRoleNamesById(queries, skipped),
  };
  return { entity: 'provisionedUser', id, action: 'applyRoles', after: { email, roleChanges: [roleChange] } };
}

/** Replaces what the provider gave. Roles given in the panel stay. Null if nothing changed. Needs the access lock. */
export const replaceProviderRoles = async (
  tx: Tx,
  administratorId: string,
  roleIds: Iterable<string>,
): Promise<RoleChange | null> =>
  (await replaceProviderRolesByPerson(tx, new Map([[administratorId, roleIds]]))).get(administratorId) ?? null;

/** As `replaceProviderRoles`, with the same few statements for any number of people. People without a change are missing. */
async function replaceProviderRolesByPerson(
  tx: Tx,
  rolesByPerson: ReadonlyMap<string, Iterable<string>>,
): Promise<ReadonlyMap<string, RoleChange>> {
  const previousRoles = await readProviderRolesByPerson(tx, [...rolesByPerson.keys()]);
  const changes = new Map<string, RoleChange>();
  const [removed, added]: [RolePair[], RolePair[]] = [[], []];
  for (const [administratorId, roleIds] of rolesByPerson) {
    const before = previousRoles.get(administratorId) ?? [];
    const after = [...new Set(roleIds)].toSorted();
    if (before.join() === after.join()) continue;
    changes.set(administratorId, { before, after });
    for (const roleId of before) if (!after.includes(roleId)) removed.push({ administratorId, roleId });
    for (const roleId of after) if (!before.includes(roleId)) added.push({ administratorId, roleId });
  }
  if (removed.length > 0)
    await tx
      .delete(administratorRoles)
      .where(
        and(
          eq(administratorRoles.givenBy, 'idp'),
          sql`(${administratorRoles.administratorId}, ${administratorRoles.roleId}) in (${unnestPairs(removed)})`,
        ),
      );
  if (added.length > 0)
    await tx.execute(
      sql`insert into administrator_roles (administrator_id, role_id, given_by)
        select administrator_id, role_id, 'idp' from (${unnestPairs(added)}) given on conflict do nothing`,
    );
  if (changes.size > 0)
    await tx
      .update(administrators)
      .set({ version: sql`${administrators.version} + 1` })
      .where(isOneOf(administrators.id, [...changes.keys()]));
  return changes;
}

interface RolePair {
  administratorId: string;
  roleId: string;
}

const unnestPairs = (pairs: readonly RolePair[]) =>
  sql`select administrator_id, role_id from unnest(${sql.param(pairs.map(({ administratorId }) => administratorId))}::uuid[],
    ${sql.param(pairs.map(({ roleId }) => roleId))}::uuid[]) as pairs (administrator_id, role_id)`;

/** Of an account without a link, to which no claim can come. Null if nothing changed. Needs the access lock. */
export const removeClaimRoles = async (tx: Tx, administratorId: string): Promise<RoleChange | null> =>
  replaceProviderRoles(tx, administratorId, (await readScimRoles(tx, administratorId)).roleIds);

export const readProviderRoles = async (queries: Queries, administratorId: string): Promise<string[]> =>
  (await readProviderRolesByPerson(queries, [administratorId])).get(administratorId) ?? [];

/** Sorted. A person without one is missing. */
async function readProviderRolesByPerson(
  queries: Queries,
  administratorIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await queries
    .select({ administratorId: administratorRoles.administratorId, roleId: administratorRoles.roleId })
    .from(administratorRoles)
    .where(and(isOneOf(administratorRoles.administratorId, administratorIds), eq(administratorRoles.givenBy, 'idp')));
  const rolesByPerson = new Map<string, string[]>();
  for (const { administratorId, roleId } of rows) {
    const heldIds = rolesByPerson.get(administratorId);
    if (heldIds) heldIds.push(roleId);
    else rolesByPerson.set(administratorId, [roleId]);
  }
  for (const heldIds of rolesByPerson.values()) heldIds.sort();
  return rolesByPerson;
}

export interface AppliedRoles {
  administratorId: string;
  /** Null if nothing changed. */
  change: RoleChange | null;
  skippedRoleIds: ReadonlySet<string>;
}

/**
 * After a change of groups or mappings. Roles of a sign-in's claim stay until the next sign-in, but a role of a left group goes
 * now. Everyone else's writes wait, so the number of statements doesn't grow with the number of people.
 */
export async function applyScimRoles(tx: Tx, previousRoles: ReadonlyMap<string, MappedRoles>): Promise<AppliedRoles[]> {
  const ids = [...previousRoles.keys()];
  if (ids.length === 0) return [];
  const scimRoles = await readScimRolesByPerson(tx, ids);
  const heldRoles = await readProviderRolesByPerson(tx, ids);
  const guardedRights = await readGuardedRights(tx, [...new Set([...heldRoles.values()].flat())]);
  const wantedRoles = new Map(
    ids.map((id) => {
      const previousIds = previousRoles.get(id)?.roleIds;
      const keptIds = (heldRoles.get(id) ?? []).filter((roleId) => !previousIds?.has(roleId) && !guardedRights.has(roleId));
      return [id, new Set([...keptIds, ...(scimRoles.get(id)?.roleIds ?? [])])] as const;
    }),
  );
  const changes = await replaceProviderRolesByPerson(tx, wantedRoles);
  return ids.map((administratorId) => ({
    administratorId,
    change: changes.get(administratorId) ?? null,
    skippedRoleIds: scimRoles.get(administratorId)?.skippedRoleIds ?? noRoles.skippedRoleIds,
  }));
}
