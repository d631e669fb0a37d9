import { builtInRoles } from '../../api/access/built-in-roles.ts';
import { isLookAlike } from '../../api/look-alikes.ts';
import { and, asc, countDistinct, eq, ilike, inArray, isNull, or, sql } from 'drizzle-orm';
import type { RoleFields, RoleRow } from '../../api/access/roles.ts';
import { hasEffect } from '../platform/auth/rights/built-in-tree.ts';
import { requireActor, type Person, type RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import { recordAccountChange, recordRightsGained } from '../platform/auth/account-changes.ts';
import { readMoneyHolders, canMoveMoney } from '../platform/auth/rights/money-rights.ts';
import { assertMayStayMapped } from '../platform/auth/provisioning/managed.ts';
import { assertAccessKept, assertMayGrant, lockAccessChanges } from '../platform/auth/rights/escalation.ts';
import { assertMayGrantRoles, readRoleGranting } from '../platform/auth/rights/role-granting.ts';
import { isGuarded } from '../platform/auth/rights/guarded-rights.ts';
import { readIdentifiersOfRole, buildViewedAccess } from '../platform/auth/view-as.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createFilter, createSearchCondition } from '../platform/records/filter.ts';
import { roleFilters } from '../../api/access/filters.ts';
import { createListHandlers } from '../platform/records/list-handlers.ts';
import {
  assertMayChangeLimits,
  describeRolePolicy,
  hasSameNetworks,
  keepAccessManagersHere,
  noLimits,
  parseRoleLimits,
  type RoleLimits,
} from './role-policy.ts';
import { readTree, type PermissionNodeRow } from '../platform/auth/rights/permission-tree.ts';
import { lockRows, type ItemVersion } from '../platform/records/versions.ts';
import { writeOnce } from '../platform/records/write.ts';
import {
  administratorRoles,
  administrators,
  grantableRoles,
  permissionNodes,
  roleNodes,
  roles as table,
} from '../platform/auth/tables.ts';

const listHandlersOf = createListHandlers({
  table,
  sorts: { name: table.name, createdAt: table.createdAt },
  filter: () => filter,
  present: ({ db }, rows) => present(db, rows),
});

export const roles = {
  list: guardedApi.roles.list.handler(listHandlersOf.list),

  many: guardedApi.roles.many.handler(listHandlersOf.many),

  tree: guardedApi.roles.tree.handler(async ({ context }) => {
    const nodes = await readTree(context.db);
    const mayGrant = await createGrantCheck(context.db, requireActor(context).granted);
    return nodes.map((node) => ({
      id: node.id,
      parentId: node.parentId,
      kind: node.kind,
      identifier: node.identifier,
      zh: node.nameZh,
      en: node.nameEn,
      grantable: mayGrant(node.identifier),
      hasEffect: hasEffect(node),
    }));
  }),

  choices: guardedApi.roles.choices.handler(async ({ context }) => {
    const { db } = context;
    const allRoles = await db
      .select({ id: table.id, name: table.name, description: table.description })
      .from(table)
      .orderBy(asc(table.name));
    const guardedIds = await readGuardedRoles(db, toIds(allRoles));
    const grantsBeyondActor = await readRoleGranting(db, requireActor(context));
    return allRoles.map((role) => ({
      ...role,
      blocked: guardedIds.has(role.id)
        ? ('guarded' as const)
        : grantsBeyondActor(role.id).length > 0
          ? ('beyond' as const)
          : null,
    }));
  }),

  holders: guardedApi.roles.holders.handler(({ input, context }) => readHolders(context.db, [input.id]).limit(200)),

  policy: guardedApi.roles.policy.handler(({ context }) => describeRolePolicy(context)),

  viewAs: guardedApi.roles.viewAs.handler(async ({ input: { id }, context: { db } }) => {
    const { name, networks } = await readRole(db, id);
    const viewed = await buildViewedAccess(db, await readIdentifiersOfRole(db, id));
    return { ...viewed, networkRoles: networks.length > 0 ? [name] : [] };
  }),

  add: guardedApi.roles.add.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      const nodes = await findNamedNodes(tx, input.grants);
      await assertCanGrant(tx, actor, nodes);
      assertFactorForMoney(input, [], nodes);
      await assertCanList(tx, actor, [], input.mayGrant ?? []);
      const row = await insertRole(context, tx, { ...input, ...parseRoleLimits(input, noLimits) }, nodes);
      recordAudit({ entity: 'role', id: row.id, after: await presentForAudit(tx, row) });
      return row;
    }),
  ),

  edit: guardedApi.roles.edit.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      const previousRole = await lockRole(tx, input);
      const holders = await readMoneyHolders(tx);
      const previousAudit = await presentForAudit(tx, previousRole);
      const nodes = await findNamedNodes(tx, input.grants);
      // The caller needs all old and new permissions.
      const previousNodes = await findNamedNodes(tx, previousRole.grants);
      await assertCanGrant(tx, actor, previousNodes);
      await assertCanGrant(tx, actor, nodes);
      await assertMayStayMapped(
        tx,
        context.services.config,
        input.id,
        nodes.map(({ identifier }) => identifier),
      );
      assertFactorForMoney(input, previousRole.needsFactor ? [] : previousNodes, nodes);
      const previousGrantableIds = toIds(previousRole.mayGrant);
      const mayGrant = input.mayGrant ?? previousGrantableIds;
      await assertCanList(tx, actor, previousGrantableIds, mayGrant);
      // Otherwise people could widen what they themselves may give.
      if (!hasSameIds(previousGrantableIds, mayGrant)) await assertNotHeld(tx, actor, input.id);
      if (previousRole.needsFactor && !input.needsFactor) await assertNotHeld(tx, actor, input.id);
      const limits = parseRoleLimits(input, previousRole);
      await assertMayChangeLimits(tx, context, actor, input.id, previousRole, limits);
      if (input.name !== previousRole.name) {
        // Signed rules name roles, so renaming one's own role would change one's standing.
        await assertNotHeld(tx, actor, input.id);
        await assertNameAvailable(tx, input.name, input.id);
        const previousHolders = await readHolders(tx, [input.id]);
        await recordAccountChange(tx, context, [...new Set(previousHolders.map(({ id }) => id))], 'roles', holders);
      }
      const isNetworkChange = !hasSameNetworks(previousRole.networks, limits.networks);
      await keepAccessManagersHere(tx, context, isNetworkChange, async () => {
        await tx
          .update(table)
          .set({
            name: input.name,
            description: input.description,
            needsFactor: input.needsFactor,
            ...limits,
            version: sql`${table.version} + 1`,
            updatedAt: new Date(context.services.now()),
          })
          .where(eq(table.id, input.id));
      });
      await tx.delete(roleNodes).where(eq(roleNodes.roleId, input.id));
      await grantNodes(tx, input.id, nodes);
      await tx.delete(grantableRoles).where(eq(grantableRoles.roleId, input.id));
      await list(tx, input.id, mayGrant);
      await recordRightsGained(tx, context, holders);
      await assertAccessKept(tx, context);
      const updatedRole = await readRole(tx, input.id);
      recordAudit({ entity: 'role', id: input.id, before: previousAudit, after: await presentForAudit(tx, updatedRole) });
      return updatedRole;
    }),
  ),

  copy: guardedApi.roles.copy.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      const source = await lockRole(tx, input);
      const nodes = await findNamedNodes(tx, source.grants);
      await assertCanGrant(tx, actor, nodes);
      const mayGrant = toIds(source.mayGrant);
      await assertCanList(tx, actor, mayGrant, mayGrant);
      const row = await insertRole(
        context,
        tx,
        { ...source, mayGrant, name: input.name, needsFactor: source.needsFactor || grantsMoney(nodes) },
        nodes,
      );
      recordAudit({ entity: 'role', id: row.id, after: await presentForAudit(tx, row) });
      return row;
    }),
  ),

  remove: guardedApi.roles.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      const { rows, failed } = await lockRows(tx, table, input.items, ({ id, version }) => ({ id, version }));
      const [firstFailure] = failed;
      if (firstFailure)
        throw firstFailure.code === 'CONFLICT'
          ? createAppError('CONFLICT', { current: await readRole(tx, firstFailure.id) })
          : createAppError('NOT_FOUND');
      const ids = toIds(rows);
      const holders = await readHolders(tx, ids);
      if (holders.length > 0) throw createAppError('IN_USE', { by: [...new Set(holders.map(({ email }) => email))] });
      const deletedRoles = await present(tx, rows);
      for (const row of deletedRoles) {
        await assertCanGrant(tx, actor, await findNamedNodes(tx, row.grants));
        await assertCanList(tx, actor, toIds(row.mayGrant), []);
        recordAudit({ entity: 'role', id: row.id, before: await presentForAudit(tx, row) });
      }
      // Deleted administrators are kept for the audit, but not their roles.
      await tx.delete(administratorRoles).where(inArray(administratorRoles.roleId, ids));
      await tx.delete(table).where(inArray(table.id, ids));
      await assertAccessKept(tx, context);
      return { done: ids.map((id) => ({ id })) };
    }),
  ),
};

type RoleRecord = typeof table.$inferSelect;

const filter = createFilter({
  table,
  fields: roleFilters,
  filterConditions: {
    q: createSearchCondition((text) => {
      const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      return or(ilike(table.name, pattern), ilike(table.description, pattern));
    }),
    createdAt: table.createdAt,
  },
});

async function present(queries: Queries, rows: readonly RoleRecord[]): Promise<RoleRow[]> {
  const ids = rows.map(({ id }) => id);
  const order = new Map((await readTree(queries)).map(({ id }, index) => [id, index]));
  const grantedNodes = await queries.select().from(roleNodes).where(inArray(roleNodes.roleId, ids));
  const holders = await queries
    .select({ roleId: administratorRoles.roleId, value: countDistinct(administratorRoles.administratorId) })
    .from(administratorRoles)
    .innerJoin(administrators, eq(administrators.id, administratorRoles.administratorId))
    .where(and(inArray(administratorRoles.roleId, ids), isNull(administrators.deletedAt)))
    .groupBy(administratorRoles.roleId);
  const grantableRows = await queries
    .select({ roleId: grantableRoles.roleId, id: table.id, name: table.name })
    .from(grantableRoles)
    .innerJoin(table, eq(table.id, grantableRoles.grantableId))
    .where(inArray(grantableRoles.roleId, ids))
    .orderBy(asc(table.name));
  const holderCounts = new Map(holders.map(({ roleId, value }) => [roleId, value]));
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    name: row.name,
    description: row.description,
    needsFactor: row.needsFactor,
    networks: row.networks,
    idleMinutes: row.idleMinutes,
    sessionHours: row.sessionHours,
    grants: grantedNodes
      .filter(({ roleId }) => roleId === row.id)
      .map(({ nodeId }) => nodeId)
      .toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
    mayGrant: grantableRows.filter(({ roleId }) => roleId === row.id).map(({ id, name }) => ({ id, name })),
    administrators: holderCounts.get(row.id) ?? 0,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

async function readRole(queries: Queries, id: string): Promise<RoleRow> {
  const [row] = await present(queries, await queries.select().from(table).where(eq(table.id, id)));
  if (!row) throw createAppError('NOT_FOUND');
  return row;
}

/** Locks access. NOT_FOUND, or CONFLICT with the current role. */
async function lockRole(tx: Tx, { id, version }: ItemVersion): Promise<RoleRow> {
  const row = await readRole(tx, id);
  if (row.version !== version) throw createAppError('CONFLICT', { current: row });
  return row;
}

/** Identifiers stay readable after nodes are deleted. */
async function presentForAudit(tx: Tx, row: RoleRow) {
  return {
    ...row,
    grants: (await findNamedNodes(tx, row.grants)).map(({ identifier }) => identifier),
    mayGrant: row.mayGrant.map(({ name }) => name),
  };
}

/** In tree order. Throws BAD_REQUEST for an unknown node. */
async function findNamedNodes(tx: Tx, grants: readonly string[]): Promise<PermissionNodeRow[]> {
  const nodes = await readTree(tx);
  const requestedIds = new Set(grants);
  const matchingNodes = nodes.filter(({ id, identifier }) => requestedIds.has(id) || requestedIds.has(identifier));
  const matchedNames = new Set(matchingNodes.flatMap(({ id, identifier }) => [id, identifier]));
  if (grants.some((grantName) => !matchedNames.has(grantName))) throw createFieldError('grants');
  return matchingNodes;
}

async function assertCanGrant(tx: Tx, actor: Person, nodes: readonly PermissionNodeRow[]): Promise<void> {
  const mayGrant = await createGrantCheck(tx, actor.granted);
  const identifiersBeyondActor = nodes.map(({ identifier }) => identifier).filter((identifier) => !mayGrant(identifier));
  if (identifiersBeyondActor.length > 0) await assertMayGrant(tx, actor, identifiersBeyondActor);
}

/** The caller must be able to give every role that a list has now or had, as with permissions. */
async function assertCanList(
  tx: Tx,
  actor: Person,
  previousIds: readonly string[],
  requestedIds: readonly string[],
): Promise<void> {
  const ids = [...new Set([...previousIds, ...requestedIds])];
  if (ids.length === 0) return;
  const existingRoles = await tx.select({ id: table.id }).from(table).where(inArray(table.id, ids));
  if (existingRoles.length < ids.length) throw createFieldError('mayGrant');
  await assertMayGrantRoles(tx, actor, ids);
  const addedIds = requestedIds.filter((id) => !previousIds.includes(id));
  if ((await readGuardedRoles(tx, addedIds)).size > 0) throw createFieldError('mayGrant', 'guarded');
}

/** Those with a guarded permission, which only people who hold the permission can give. */
async function readGuardedRoles(queries: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queries
    .select({ roleId: roleNodes.roleId, identifier: permissionNodes.identifier })
    .from(roleNodes)
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(inArray(roleNodes.roleId, [...ids]));
  return new Set(rows.filter(({ identifier }) => isGuarded(identifier)).map(({ roleId }) => roleId));
}

const hasSameIds = (left: readonly string[], right: readonly string[]) =>
  left.every((id) => right.includes(id)) && right.every((id) => left.includes(id));

const toIds = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

const grantsMoney = (nodes: readonly PermissionNodeRow[]) => nodes.some(({ identifier }) => canMoveMoney(identifier));

/** Money permissions require a role with a second factor. Those that the role `previousNodes` may stay. */
function assertFactorForMoney(
  { needsFactor }: { needsFactor: boolean },
  previousNodes: readonly PermissionNodeRow[],
  nodes: readonly PermissionNodeRow[],
): void {
  const previousNodeIds = new Set(previousNodes.map(({ id }) => id));
  if (!needsFactor && grantsMoney(nodes.filter(({ id }) => !previousNodeIds.has(id))))
    throw createFieldError('needsFactor', 'required');
}

/** Throws OWN_ACCESS for removing the second factor from one's own role. */
async function assertNotHeld(tx: Tx, { id }: Person, roleId: string): Promise<void> {
  const isOwnAssignment = and(eq(administratorRoles.administratorId, id), eq(administratorRoles.roleId, roleId));
  if ((await tx.$count(administratorRoles, isOwnAssignment)) > 0) throw createAppError('OWN_ACCESS');
}

/** A person can grant what they have. Someone with all granted permissions can also grant nodes that no role has yet. */
async function createGrantCheck(queries: Queries, granted: ReadonlySet<string>): Promise<(identifier: string) => boolean> {
  const assignedNodeIds = await queries.selectDistinct({ nodeId: roleNodes.nodeId }).from(roleNodes);
  const ids = new Set(assignedNodeIds.map(({ nodeId }) => nodeId));
  const identifiersInUse = new Set((await readTree(queries)).filter(({ id }) => ids.has(id)).map(({ identifier }) => identifier));
  const holdsAllIdentifiers = [...identifiersInUse].every((identifier) => granted.has(identifier));
  return (identifier) => granted.has(identifier) || (holdsAllIdentifiers && !identifiersInUse.has(identifier));
}

const readHolders = (queries: Queries, roleIds: readonly string[]) =>
  queries
    .selectDistinct({ id: administrators.id, email: administrators.email, enabled: administrators.enabled })
    .from(administratorRoles)
    .innerJoin(administrators, eq(administrators.id, administratorRoles.administratorId))
    .where(and(inArray(administratorRoles.roleId, [...roleIds]), isNull(administrators.deletedAt)))
    .orderBy(asc(administrators.email));

async function assertNameAvailable(tx: Tx, name: string, id: string | null): Promise<void> {
  const otherRoles = (await tx.select({ id: table.id, name: table.name }).from(table)).filter((otherRole) => otherRole.id !== id);
  if (otherRoles.some((otherRole) => otherRole.name === name)) throw createFieldError('name', 'taken');
  // Screens show built-in roles in the reader's language.
  const builtInNames = Object.values(builtInRoles).flatMap((role) => [role.name.zh, role.name.en]);
  const isSimilarName = (other: string) => other === name || isLookAlike(other, name);
  if (otherRoles.some((otherRole) => isLookAlike(otherRole.name, name)) || builtInNames.some(isSimilarName))
    throw createFieldError('name', 'lookAlike');
}

async function insertRole(
  context: RequestContext,
  tx: Tx,
  {
    name,
    description,
    needsFactor,
    mayGrant = [],
    networks,
    idleMinutes,
    sessionHours,
  }: Omit<RoleFields, 'grants' | keyof RoleLimits> & RoleLimits,
  nodes: readonly PermissionNodeRow[],
): Promise<RoleRow> {
  await assertNameAvailable(tx, name, null);
  const now = new Date(context.services.now());
  const id = newId();
  const limits = { networks, idleMinutes, sessionHours };
  await tx.insert(table).values({ id, name, description, needsFactor, ...limits, createdAt: now, updatedAt: now });
  await grantNodes(tx, id, nodes);
  await list(tx, id, mayGrant);
  return readRole(tx, id);
}

async function list(tx: Tx, roleId: string, mayGrant: readonly string[]): Promise<void> {
  const ids = [...new Set(mayGrant)];
  if (ids.length > 0) await tx.insert(grantableRoles).values(ids.map((grantableId) => ({ roleId, grantableId })));
}

async function grantNodes(tx: Tx, roleId: string, nodes: readonly PermissionNodeRow[]): Promise<void> {
  if (nodes.length > 0) await tx.insert(roleNodes).values(nodes.map(({ id }) => ({ roleId, nodeId: id })));
}
