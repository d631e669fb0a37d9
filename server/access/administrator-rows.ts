import { asc, count, desc, eq, inArray, isNull, max, sql } from 'drizzle-orm';
import type { AdministratorDetails, AdministratorRow, EffectiveRight } from '../../api/access/administrators.ts';
import type { GrantSource } from '../../api/access/identity-values.ts';
import { administratorFilters } from '../../api/access/filters.ts';
import { combineValues, createFilter, createSearchCondition } from '../platform/records/filter.ts';
import { requireActor, type Person, type RequestContext } from '../platform/services/context.ts';
import type { Queries } from '../platform/db/db.ts';
import { readRoleGranting, readRoleIds } from '../platform/auth/rights/role-granting.ts';
import { readManagedIds } from '../platform/auth/provisioning/guarded-roles.ts';
import { liveSessionCondition } from '../platform/auth/sign-in/sessions.ts';
import { readFactorGaps } from '../platform/auth/sign-in/vouching.ts';
import { readTree } from '../platform/auth/rights/permission-tree.ts';
import {
  administratorRoles,
  administrators as table,
  identityLinks,
  passkeys,
  roleNodes,
  roles,
  sessions,
} from '../platform/auth/tables.ts';

export type AdministratorSource = typeof table.$inferSelect;

const maxSessions = 50;

/** Keeps the order of `rows`. */
export async function presentAdministrators(
  queries: Queries,
  actor: Pick<Person, 'id' | 'granted' | 'calledFrom'>,
  rows: readonly AdministratorSource[],
): Promise<AdministratorRow[]> {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const assignedRoles = await queries
    .select({
      administratorId: administratorRoles.administratorId,
      id: roles.id,
      name: roles.name,
      givenBy: sql<GrantSource>`min(${administratorRoles.givenBy})`,
    })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(inArray(administratorRoles.administratorId, ids))
    .groupBy(administratorRoles.administratorId, roles.id, roles.name)
    .orderBy(asc(roles.name));
  const rolesById = await readRoleIds(queries, ids);
  const grantsBeyondActor = await readRoleGranting(queries, actor);
  const keys = await queries
    .select({ id: passkeys.administratorId, number: count() })
    .from(passkeys)
    .where(inArray(passkeys.administratorId, ids))
    .groupBy(passkeys.administratorId);
  const gaps = await readFactorGaps(queries, ids);
  const lastSessions = await queries
    .select({ id: sessions.administratorId, at: max(sessions.lastSeenAt) })
    .from(sessions)
    .where(inArray(sessions.administratorId, ids))
    .groupBy(sessions.administratorId);

  const linkRows = await queries
    .select()
    .from(identityLinks)
    .where(inArray(identityLinks.administratorId, ids))
    .orderBy(asc(identityLinks.createdAt));

  const managedIds = await readManagedIds(queries, ids);

  const exceedsActor = (id: string) => (rolesById.get(id) ?? []).some((roleId) => grantsBeyondActor(roleId).length > 0);
  const idsWithPasskey = new Set(keys.map(({ id }) => id));
  const latestLinks = new Map(linkRows.map((link) => [link.administratorId, link]));
  const lastSeenTimes = new Map(lastSessions.map(({ id, at }) => [id, at]));
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    email: row.email,
    roles: assignedRoles
      .filter(({ administratorId }) => administratorId === row.id)
      .map(({ id, name, givenBy }) => ({ id, name, givenBy })),
    enabled: row.enabled,
    disabledBy: row.enabled ? null : row.disabledBy,
    managed: managedIds.has(row.id),
    description: row.description,
    walletAddress: row.walletAddress,
    factor: idsWithPasskey.has(row.id) ? 'passkey' : row.totpSecret === null ? 'none' : 'totp',
    sso: presentLink(latestLinks.get(row.id)),
    factorGap: gaps.get(row.id) ?? null,
    lastSeenAt: lastSeenTimes.get(row.id)?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    reach: row.id === actor.id ? 'own' : exceedsActor(row.id) ? 'beyond' : 'within',
  }));
}

const presentLink = (link: typeof identityLinks.$inferSelect | undefined): AdministratorRow['sso'] =>
  link
    ? {
        email: link.email,
        origin: link.origin,
        linkedAt: link.createdAt.toISOString(),
        lastUsedAt: link.lastUsedAt?.toISOString() ?? null,
      }
    : null;

/** Leaves out the relation to the caller, and the link, which has its own rows. */
export const auditedFields = ({
  id,
  version,
  email,
  roles: assignedRoles,
  enabled,
  description,
  walletAddress,
  factor,
  factorGap,
  createdAt,
}: AdministratorRow) => ({
  id,
  version,
  email,
  roles: assignedRoles,
  enabled,
  description,
  walletAddress,
  factor,
  factorGap,
  createdAt,
});

/** Excludes deleted administrators. */
export const administratorConditions = createFilter({
  table,
  fields: administratorFilters,
  filterConditions: {
    q: createSearchCondition(
      (text) =>
        sql`(strpos(folded(${table.email}), folded(${text}::text)) > 0 or strpos(folded(${table.description}), folded(${text}::text)) > 0)`,
    ),
    role: {
      of: administratorRoles.roleId,
      via: { table: administratorRoles, row: administratorRoles.administratorId, id: table.id },
      where: (requestedTexts) =>
        combineValues(
          requestedTexts,
          (role) =>
            sql`exists (select from ${administratorRoles} r where r.administrator_id = ${table.id} and r.role_id = ${role}::uuid)`,
        ),
    },
    enabled: table.enabled,
    createdAt: table.createdAt,
  },
  only: isNull(table.deletedAt),
});

/** With whether the caller may give it. */
export async function readRoleChoices(context: RequestContext) {
  const allRoles = await context.db
    .select({ id: roles.id, name: roles.name, description: roles.description })
    .from(roles)
    .orderBy(asc(roles.name));
  const grantsBeyondActor = await readRoleGranting(context.db, requireActor(context));
  return allRoles.map((role) => ({ ...role, beyond: grantsBeyondActor(role.id).length > 0 }));
}

/** Granted nodes and the groups above them. */
export async function readRights(queries: Queries, administratorId: string): Promise<EffectiveRight[]> {
  const assignedRoles = await queries
    .selectDistinct({ nodeId: roleNodes.nodeId, role: roles.name })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .innerJoin(roleNodes, eq(roleNodes.roleId, roles.id))
    .where(eq(administratorRoles.administratorId, administratorId))
    .orderBy(asc(roles.name));
  const rolesByNode = new Map<string, string[]>();
  for (const { nodeId, role } of assignedRoles) rolesByNode.set(nodeId, [...(rolesByNode.get(nodeId) ?? []), role]);

  const tree = await readTree(queries);
  const parentIds = new Map(tree.map(({ id, parentId }) => [id, parentId]));
  const visibleNodes = new Set<string>();
  for (const nodeId of rolesByNode.keys())
    for (
      let ancestorId: string | null | undefined = nodeId;
      ancestorId && !visibleNodes.has(ancestorId);
      ancestorId = parentIds.get(ancestorId)
    )
      visibleNodes.add(ancestorId);
  return tree
    .filter(({ id }) => visibleNodes.has(id))
    .map(({ id, parentId, kind, identifier, nameZh: zh, nameEn: en }) => ({
      id,
      parentId,
      kind,
      identifier,
      zh,
      en,
      roles: rolesByNode.get(id) ?? [],
    }));
}

/** Most recently used first. */
export async function readSessions(
  { db, services }: RequestContext,
  administratorId: string,
): Promise<AdministratorDetails['sessions']> {
  const rows = await db
    .select()
    .from(sessions)
    .where(liveSessionCondition({ services }, administratorId))
    .orderBy(desc(sessions.lastSeenAt))
    .limit(maxSessions);
  return rows.map(({ id, createdAt, lastSeenAt, ip, userAgent }) => ({
    id,
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    ip,
    userAgent,
  }));
}
