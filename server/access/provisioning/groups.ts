import { and, asc, count, eq, inArray, isNull, sql, type SQL } from 'drizzle-orm';
import {
  applyScimRoles,
  readRoleNamesById,
  readRoleNames,
  readScimRolesByPerson,
  type MappedRoles,
} from '../../platform/auth/provisioning/group-roles.ts';
import { writeAsProvider } from '../../platform/auth/provisioning/write-as-provider.ts';
import { administrators, groupRoles, provisioned, scimGroupMembers, scimGroups } from '../../platform/auth/tables.ts';
import { newId } from '../../platform/core/ids.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import type { ProvisioningContext } from '../../platform/services/context.ts';
import type { FilterCondition } from './filter.ts';
import { patchGroup, readNewGroup, replaceGroup, type GroupAttributes } from './group-attributes.ts';
import type { GroupResource } from './representation.ts';
import { createNotFound, createUniquenessError } from './scim-error.ts';
import { uuidPattern, type Page } from './users.ts';
import { createInvalidValue } from './values.ts';

const entity = 'provisionedGroup';

const conditionOf = ({ attribute, value }: FilterCondition): SQL | undefined => {
  if (attribute === 'id') return sql`${scimGroups.id}::text = ${String(value).toLowerCase()}`;
  if (attribute === 'externalId') return eq(scimGroups.externalId, String(value));
  return sql`lower(${scimGroups.displayName}) = lower(${value}::text)`;
};

export async function listGroups(
  queries: Queries,
  conditions: readonly FilterCondition[],
  { startIndex, count: limit }: Page,
  withMembers: boolean,
): Promise<{ total: number; groups: GroupResource[] }> {
  const where = and(...conditions.map(conditionOf));
  const total = await queries.$count(scimGroups, where);
  const rows =
    limit === 0
      ? []
      : await queries
          .select()
          .from(scimGroups)
          .where(where)
          .orderBy(asc(scimGroups.createdAt), asc(scimGroups.id))
          .limit(limit)
          .offset(startIndex - 1);
  const listedRows = withMembers ? await limitMembers(queries, rows) : rows;
  return { total, groups: await present(queries, listedRows, withMembers) };
}

type GroupRow = typeof scimGroups.$inferSelect;

/** About 8 MB. */
const maxListedMembers = 50_000;

/** A page may be shorter than asked for (RFC 7644, 3.4.2.4). At least one group. */
async function limitMembers(queries: Queries, rows: readonly GroupRow[]): Promise<readonly GroupRow[]> {
  const ids = rows.map(({ id }) => id);
  const sizes = await queries
    .select({ id: scimGroupMembers.groupId, members: count() })
    .from(scimGroupMembers)
    .where(inArray(scimGroupMembers.groupId, ids))
    .groupBy(scimGroupMembers.groupId);
  const sizeOf = new Map(sizes.map(({ id, members }) => [id, members]));
  let listedMembers = 0;
  const tooMany = rows.findIndex(({ id }) => (listedMembers += sizeOf.get(id) ?? 0) > maxListedMembers);
  return tooMany === -1 ? rows : rows.slice(0, Math.max(tooMany, 1));
}

/** Throws NOT FOUND. */
export async function readGroup(queries: Queries, id: string, withMembers = true): Promise<GroupResource> {
  const rows = uuidPattern.test(id) ? await queries.select().from(scimGroups).where(eq(scimGroups.id, id)) : [];
  const [group] = await present(queries, rows, withMembers);
  if (!group) throw createNotFound();
  return group;
}

async function present(queries: Queries, rows: readonly GroupRow[], withMembers: boolean): Promise<GroupResource[]> {
  const ids = rows.map(({ id }) => id);
  const members =
    withMembers && ids.length > 0
      ? await queries
          .select({ groupId: scimGroupMembers.groupId, id: scimGroupMembers.administratorId, userName: provisioned.userName })
          .from(scimGroupMembers)
          .innerJoin(provisioned, eq(provisioned.administratorId, scimGroupMembers.administratorId))
          .where(inArray(scimGroupMembers.groupId, ids))
          .orderBy(asc(provisioned.userName))
      : [];
  const membersByGroup = new Map<string, { id: string; userName: string }[]>(ids.map((id) => [id, []]));
  for (const { groupId, id, userName } of members) membersByGroup.get(groupId)?.push({ id, userName });
  return rows.map((row) => ({ ...row, members: withMembers ? (membersByGroup.get(row.id) ?? []) : null }));
}

export function createGroup(context: ProvisioningContext, body: unknown): Promise<GroupResource> {
  const group = readNewGroup(body);
  return writeAsProvider(context, async (tx, recordEntry) => {
    await assertUnique(tx, group, null);
    const id = newId();
    const currentTime = new Date(context.services.now());
    const { displayName, externalId } = group;
    await tx.insert(scimGroups).values({ id, displayName, externalId, createdAt: currentTime, updatedAt: currentTime });
    // No mapping can name a new group.
    await addMembers(tx, id, [...group.members]);
    recordEntry({ entity, id, action: 'create', after: auditedGroup(group) });
    return readGroup(tx, id);
  });
}

export const replaceGroupById = (context: ProvisioningContext, id: string, body: unknown) =>
  changeGroup(context, id, 'replace', (group) => replaceGroup(group, body));

export const patchGroupById = (context: ProvisioningContext, id: string, body: unknown) =>
  changeGroup(context, id, 'patch', (group) => patchGroup(group, body, id));

function changeGroup(
  context: ProvisioningContext,
  id: string,
  action: string,
  applyBody: (group: GroupAttributes) => GroupAttributes,
): Promise<GroupResource> {
  return writeAsProvider(context, async (tx, recordEntry) => {
    const current = await readGroup(tx, id);
    const before = attributesOf(current);
    const after = applyBody(before);
    const addedIds = [...after.members].filter((member) => !before.members.has(member));
    const removedIds = [...before.members].filter((member) => !after.members.has(member));
    const { displayName, externalId } = after;
    const isRenamed = displayName !== before.displayName || externalId !== before.externalId;
    if (!isRenamed && addedIds.length === 0 && removedIds.length === 0) return current;
    if (isRenamed) await assertUnique(tx, after, current.id);
    const previousRoles = await readScimRolesByPerson(tx, [
      ...addedIds.filter((member) => uuidPattern.test(member)),
      ...removedIds,
    ]);
    await tx
      .update(scimGroups)
      .set({ displayName, externalId, updatedAt: new Date(context.services.now()) })
      .where(eq(scimGroups.id, current.id));
    await addMembers(tx, current.id, addedIds);
    await removeMembers(tx, current.id, removedIds);
    const roles = await applyRoles(tx, previousRoles);
    recordEntry({ entity, id: current.id, action, before: auditedGroup(before), after: { ...auditedGroup(after), roles } });
    return readGroup(tx, current.id);
  });
}

/** With its mappings, so that another group never inherits them. */
export function deleteGroup(context: ProvisioningContext, id: string): Promise<void> {
  return writeAsProvider(context, async (tx, recordEntry) => {
    const current = await readGroup(tx, id);
    const previousRoles = await readScimRolesByPerson(
      tx,
      (current.members ?? []).map((member) => member.id),
    );
    await tx.delete(scimGroups).where(eq(scimGroups.id, current.id));
    const roles = await applyRoles(tx, previousRoles);
    const mappings = await tx
      .delete(groupRoles)
      .where(and(eq(groupRoles.source, 'scim'), eq(groupRoles.value, current.id)))
      .returning();
    recordEntry({
      entity,
      id: current.id,
      action: 'delete',
      before: {
        ...auditedGroup(attributesOf(current)),
        mappedRoles: await readRoleNamesById(
          tx,
          mappings.map(({ roleId }) => roleId),
        ),
      },
      after: { roles },
    });
  });
}

/** Changed roles by person, for the audit. */
async function applyRoles(tx: Tx, previousRoles: ReadonlyMap<string, MappedRoles>) {
  const applied = (await applyScimRoles(tx, previousRoles)).filter(
    ({ change, skippedRoleIds }) => change !== null || skippedRoleIds.size > 0,
  );
  const roleIds = applied.flatMap(({ change, skippedRoleIds }) => [
    ...(change?.before ?? []),
    ...(change?.after ?? []),
    ...skippedRoleIds,
  ]);
  const names = await readRoleNames(tx, new Set(roleIds));
  const namesOf = (ids: Iterable<string>) => [...ids].flatMap((id) => names.get(id) ?? []).toSorted();
  return applied.map(({ administratorId: administrator, change, skippedRoleIds }) => ({
    administrator,
    before: namesOf(change?.before ?? []),
    after: namesOf(change?.after ?? []),
    skipped: namesOf(skippedRoleIds),
  }));
}

/** Throws invalidValue for an account that the provider doesn't manage. */
async function addMembers(tx: Tx, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  if (!ids.every((id) => uuidPattern.test(id))) throw createInvalidValue('members');
  const [found] = await tx
    .select({ total: count() })
    .from(provisioned)
    .innerJoin(administrators, eq(administrators.id, provisioned.administratorId))
    .where(and(inArray(provisioned.administratorId, [...ids]), isNull(provisioned.deletedAt), isNull(administrators.deletedAt)));
  if ((found?.total ?? 0) < ids.length) throw createInvalidValue('members');
  await tx
    .insert(scimGroupMembers)
    .values(ids.map((administratorId) => ({ groupId, administratorId })))
    .onConflictDoNothing();
}

async function removeMembers(tx: Tx, groupId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .delete(scimGroupMembers)
    .where(and(eq(scimGroupMembers.groupId, groupId), inArray(scimGroupMembers.administratorId, [...ids])));
}

async function assertUnique(tx: Tx, { displayName, externalId }: GroupAttributes, ownId: string | null): Promise<void> {
  const [other] = await tx
    .select({ id: scimGroups.id })
    .from(scimGroups)
    .where(
      and(
        sql`(lower(${scimGroups.displayName}) = lower(${displayName}::text) or ${scimGroups.externalId} = ${externalId}::text)`,
        ownId === null ? undefined : sql`${scimGroups.id} <> ${ownId}`,
      ),
    );
  if (other) throw createUniquenessError('Another group has the same name or external ID.');
}

const attributesOf = ({ displayName, externalId, members }: GroupResource): GroupAttributes => ({
  displayName,
  externalId,
  members: new Set(members?.map(({ id }) => id)),
});

const auditedGroup = ({ displayName, externalId, members }: GroupAttributes) => ({
  displayName,
  externalId,
  members: [...members].toSorted(),
});
