import { builtInRoles } from '../../api/access/built-in-roles.ts';
import { isLookAlike } from '../../api/look-alikes.ts';
import { and, asc, count, eq, ilike, inArray, isNull, or, sql } from 'drizzle-orm';
import type { RoleFields, RoleRow } from '../../api/access/roles.ts';
import { hasEffect } from '../platform/auth/rights/built-in-tree.ts';
import { actorOf, type Person, type RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { badField, appError } from '../platform/core/errors.ts';
import { recordAccountChange, recordRightsGained } from '../platform/auth/account-changes.ts';
import { moneyHolders, movesMoney } from '../platform/auth/rights/money-rights.ts';
import { assertAccessKept, assertMayGrant, lockAccess } from '../platform/auth/rights/escalation.ts';
import { assertMayGive, readGiving } from '../platform/auth/rights/giving.ts';
import { isGuarded } from '../platform/auth/rights/guarded-rights.ts';
import { grantedByRole, viewedAs } from '../platform/auth/view-as.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createFilter, searchCondition } from '../platform/records/filter.ts';
import { roleFilters } from '../../api/access/filters.ts';
import { listHandlers } from '../platform/records/list-handlers.ts';
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

const reads = listHandlers({
  table,
  sorts: { name: table.name, createdAt: table.createdAt },
  filter: () => filter,
  present: ({ db }, rows) => present(db, rows),
});

export const roles = {
  list: guardedApi.roles.list.handler(reads.list),

  many: guardedApi.roles.many.handler(reads.many),

  tree: guardedApi.roles.tree.handler(async ({ context }) => {
    const nodes = await readTree(context.db);
    const mayGrant = await grantable(context.db, actorOf(context).granted);
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
    const all = await db
      .select({ id: table.id, name: table.name, description: table.description })
      .from(table)
      .orderBy(asc(table.name));
    const guarded = await guardedRoles(db, idsOf(all));
    const beyondOf = await readGiving(db, actorOf(context));
    return all.map((role) => ({
      ...role,
      blocked: guarded.has(role.id) ? ('guarded' as const) : beyondOf(role.id).length > 0 ? ('beyond' as const) : null,
    }));
  }),

  holders: guardedApi.roles.holders.handler(({ input, context }) => holdersOf(context.db, [input.id]).limit(200)),

  viewAs: guardedApi.roles.viewAs.handler(async ({ input: { id }, context: { db } }) => {
    await oneRole(db, id);
    return viewedAs(db, await grantedByRole(db, id));
  }),

  add: guardedApi.roles.add.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const actor = await lockAccess(tx, context);
      const nodes = await namedNodes(tx, input.grants);
      await assertMayPut(tx, actor, nodes);
      assertFactorForMoney(input, [], nodes);
      await assertMayList(tx, actor, [], input.mayGrant ?? []);
      const row = await insert(context, tx, input, nodes);
      note({ entity: 'role', id: row.id, after: await forAudit(tx, row) });
      return row;
    }),
  ),

  edit: guardedApi.roles.edit.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const actor = await lockAccess(tx, context);
      const before = await lockRole(tx, input);
      const holders = await moneyHolders(tx);
      const noted = await forAudit(tx, before);
      const nodes = await namedNodes(tx, input.grants);
      // The caller needs all old and new permissions.
      const had = await namedNodes(tx, before.grants);
      await assertMayPut(tx, actor, had);
      await assertMayPut(tx, actor, nodes);
      assertFactorForMoney(input, before.needsFactor ? [] : had, nodes);
      const listed = idsOf(before.mayGrant);
      const mayGrant = input.mayGrant ?? listed;
      await assertMayList(tx, actor, listed, mayGrant);
      // Otherwise people could widen what they themselves may give.
      if (!isSameRole(listed, mayGrant)) await assertNotHeld(tx, actor, input.id);
      if (before.needsFactor && !input.needsFactor) await assertNotHeld(tx, actor, input.id);
      if (input.name !== before.name) {
        // Signed rules name roles, so renaming one's own role would change one's standing.
        await assertNotHeld(tx, actor, input.id);
        await assertFree(tx, input.name, input.id);
        const held = await holdersOf(tx, [input.id]);
        await recordAccountChange(tx, context, [...new Set(held.map(({ id }) => id))], 'roles', holders);
      }
      await tx
        .update(table)
        .set({
          name: input.name,
          description: input.description,
          needsFactor: input.needsFactor,
          version: sql`${table.version} + 1`,
          updatedAt: new Date(context.services.now()),
        })
        .where(eq(table.id, input.id));
      await tx.delete(roleNodes).where(eq(roleNodes.roleId, input.id));
      await grant(tx, input.id, nodes);
      await tx.delete(grantableRoles).where(eq(grantableRoles.roleId, input.id));
      await list(tx, input.id, mayGrant);
      await recordRightsGained(tx, context, holders);
      await assertAccessKept(tx, context);
      const after = await oneRole(tx, input.id);
      note({ entity: 'role', id: input.id, before: noted, after: await forAudit(tx, after) });
      return after;
    }),
  ),

  copy: guardedApi.roles.copy.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const actor = await lockAccess(tx, context);
      const source = await lockRole(tx, input);
      const nodes = await namedNodes(tx, source.grants);
      await assertMayPut(tx, actor, nodes);
      const mayGrant = idsOf(source.mayGrant);
      await assertMayList(tx, actor, mayGrant, mayGrant);
      const row = await insert(
        context,
        tx,
        { ...source, mayGrant, name: input.name, needsFactor: source.needsFactor || grantsMoney(nodes) },
        nodes,
      );
      note({ entity: 'role', id: row.id, after: await forAudit(tx, row) });
      return row;
    }),
  ),

  remove: guardedApi.roles.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const actor = await lockAccess(tx, context);
      const { rows, failed } = await lockRows(tx, table, input.items, ({ id, version }) => ({ id, version }));
      const [first] = failed;
      if (first)
        throw first.code === 'CONFLICT' ? appError('CONFLICT', { current: await oneRole(tx, first.id) }) : appError('NOT_FOUND');
      const ids = idsOf(rows);
      const holders = await holdersOf(tx, ids);
      if (holders.length > 0) throw appError('IN_USE', { by: [...new Set(holders.map(({ email }) => email))] });
      const deletedRoles = await present(tx, rows);
      for (const row of deletedRoles) {
        await assertMayPut(tx, actor, await namedNodes(tx, row.grants));
        await assertMayList(tx, actor, idsOf(row.mayGrant), []);
        note({ entity: 'role', id: row.id, before: await forAudit(tx, row) });
      }
      // Deleted administrators are kept for the audit, but not their roles.
      await tx.delete(administratorRoles).where(inArray(administratorRoles.roleId, ids));
      await tx.delete(table).where(inArray(table.id, ids));
      await assertAccessKept(tx, context);
      return { done: ids.map((id) => ({ id })) };
    }),
  ),
};

type Row = typeof table.$inferSelect;

const filter = createFilter({
  table,
  fields: roleFilters,
  filterConditions: {
    q: searchCondition((text) => {
      const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
      return or(ilike(table.name, pattern), ilike(table.description, pattern));
    }),
    createdAt: table.createdAt,
  },
});

async function present(queries: Queries, rows: readonly Row[]): Promise<RoleRow[]> {
  const ids = rows.map(({ id }) => id);
  const order = new Map((await readTree(queries)).map(({ id }, at) => [id, at]));
  const granted = await queries.select().from(roleNodes).where(inArray(roleNodes.roleId, ids));
  const holders = await queries
    .select({ roleId: administratorRoles.roleId, value: count() })
    .from(administratorRoles)
    .innerJoin(administrators, eq(administrators.id, administratorRoles.administratorId))
    .where(and(inArray(administratorRoles.roleId, ids), isNull(administrators.deletedAt)))
    .groupBy(administratorRoles.roleId);
  const listed = await queries
    .select({ roleId: grantableRoles.roleId, id: table.id, name: table.name })
    .from(grantableRoles)
    .innerJoin(table, eq(table.id, grantableRoles.grantableId))
    .where(inArray(grantableRoles.roleId, ids))
    .orderBy(asc(table.name));
  const held = new Map(holders.map(({ roleId, value }) => [roleId, value]));
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    name: row.name,
    description: row.description,
    needsFactor: row.needsFactor,
    grants: granted
      .filter(({ roleId }) => roleId === row.id)
      .map(({ nodeId }) => nodeId)
      .toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
    mayGrant: listed.filter(({ roleId }) => roleId === row.id).map(({ id, name }) => ({ id, name })),
    administrators: held.get(row.id) ?? 0,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }));
}

async function oneRole(queries: Queries, id: string): Promise<RoleRow> {
  const [row] = await present(queries, await queries.select().from(table).where(eq(table.id, id)));
  if (!row) throw appError('NOT_FOUND');
  return row;
}

/** Locks access. NOT_FOUND, or CONFLICT with the current role. */
async function lockRole(tx: Tx, { id, version }: ItemVersion): Promise<RoleRow> {
  const row = await oneRole(tx, id);
  if (row.version !== version) throw appError('CONFLICT', { current: row });
  return row;
}

/** Identifiers stay readable after nodes are deleted. */
async function forAudit(tx: Tx, row: RoleRow) {
  return {
    ...row,
    grants: (await namedNodes(tx, row.grants)).map(({ identifier }) => identifier),
    mayGrant: row.mayGrant.map(({ name }) => name),
  };
}

/** In tree order. Throws BAD_REQUEST for an unknown node. */
async function namedNodes(tx: Tx, grants: readonly string[]): Promise<PermissionNodeRow[]> {
  const nodes = await readTree(tx);
  const requestedIds = new Set(grants);
  const found = nodes.filter(({ id, identifier }) => requestedIds.has(id) || requestedIds.has(identifier));
  const known = new Set(found.flatMap(({ id, identifier }) => [id, identifier]));
  if (grants.some((one) => !known.has(one))) throw badField('grants');
  return found;
}

async function assertMayPut(tx: Tx, actor: Person, nodes: readonly PermissionNodeRow[]): Promise<void> {
  const mayGrant = await grantable(tx, actor.granted);
  const beyond = nodes.map(({ identifier }) => identifier).filter((identifier) => !mayGrant(identifier));
  if (beyond.length > 0) await assertMayGrant(tx, actor, beyond);
}

/** The caller must be able to give every role that a list has now or had, as with permissions. */
async function assertMayList(tx: Tx, actor: Person, before: readonly string[], after: readonly string[]): Promise<void> {
  const ids = [...new Set([...before, ...after])];
  if (ids.length === 0) return;
  const found = await tx.select({ id: table.id }).from(table).where(inArray(table.id, ids));
  if (found.length < ids.length) throw badField('mayGrant');
  await assertMayGive(tx, actor, ids);
  const added = after.filter((id) => !before.includes(id));
  if ((await guardedRoles(tx, added)).size > 0) throw badField('mayGrant', 'guarded');
}

/** Those with a guarded permission, which only people who hold the permission can give. */
async function guardedRoles(queries: Queries, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queries
    .select({ roleId: roleNodes.roleId, identifier: permissionNodes.identifier })
    .from(roleNodes)
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(inArray(roleNodes.roleId, [...ids]));
  return new Set(rows.filter(({ identifier }) => isGuarded(identifier)).map(({ roleId }) => roleId));
}

const isSameRole = (one: readonly string[], other: readonly string[]) =>
  one.every((id) => other.includes(id)) && other.every((id) => one.includes(id));

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

const grantsMoney = (nodes: readonly PermissionNodeRow[]) => nodes.some(({ identifier }) => movesMoney(identifier));

/** Money permissions require a role with a second factor. Those that the role `had` may stay. */
function assertFactorForMoney(
  { needsFactor }: { needsFactor: boolean },
  had: readonly PermissionNodeRow[],
  nodes: readonly PermissionNodeRow[],
): void {
  const known = new Set(had.map(({ id }) => id));
  if (!needsFactor && grantsMoney(nodes.filter(({ id }) => !known.has(id)))) throw badField('needsFactor', 'required');
}

/** Throws OWN_ACCESS for removing the second factor from one's own role. */
async function assertNotHeld(tx: Tx, { id }: Person, roleId: string): Promise<void> {
  const own = and(eq(administratorRoles.administratorId, id), eq(administratorRoles.roleId, roleId));
  if ((await tx.$count(administratorRoles, own)) > 0) throw appError('OWN_ACCESS');
}

/** A person can grant what they have. Someone with all granted permissions can also grant nodes that no role has yet. */
async function grantable(queries: Queries, granted: ReadonlySet<string>): Promise<(identifier: string) => boolean> {
  const held = await queries.selectDistinct({ nodeId: roleNodes.nodeId }).from(roleNodes);
  const ids = new Set(held.map(({ nodeId }) => nodeId));
  const inUse = new Set((await readTree(queries)).filter(({ id }) => ids.has(id)).map(({ identifier }) => identifier));
  const holdsAll = [...inUse].every((identifier) => granted.has(identifier));
  return (identifier) => granted.has(identifier) || (holdsAll && !inUse.has(identifier));
}

const holdersOf = (queries: Queries, roleIds: readonly string[]) =>
  queries
    .select({ id: administrators.id, email: administrators.email, enabled: administrators.enabled })
    .from(administratorRoles)
    .innerJoin(administrators, eq(administrators.id, administratorRoles.administratorId))
    .where(and(inArray(administratorRoles.roleId, [...roleIds]), isNull(administrators.deletedAt)))
    .orderBy(asc(administrators.email));

async function assertFree(tx: Tx, name: string, id: string | null): Promise<void> {
  const others = (await tx.select({ id: table.id, name: table.name }).from(table)).filter((other) => other.id !== id);
  if (others.some((other) => other.name === name)) throw badField('name', 'taken');
  // Screens show built-in roles in the reader's language.
  const shown = Object.values(builtInRoles).flatMap((role) => [role.name.zh, role.name.en]);
  const isLike = (other: string) => other === name || isLookAlike(other, name);
  if (others.some((other) => isLookAlike(other.name, name)) || shown.some(isLike)) throw badField('name', 'lookAlike');
}

async function insert(
  context: RequestContext,
  tx: Tx,
  { name, description, needsFactor, mayGrant = [] }: Omit<RoleFields, 'grants'>,
  nodes: readonly PermissionNodeRow[],
): Promise<RoleRow> {
  await assertFree(tx, name, null);
  const now = new Date(context.services.now());
  const id = newId();
  await tx.insert(table).values({ id, name, description, needsFactor, createdAt: now, updatedAt: now });
  await grant(tx, id, nodes);
  await list(tx, id, mayGrant);
  return oneRole(tx, id);
}

async function list(tx: Tx, roleId: string, mayGrant: readonly string[]): Promise<void> {
  const ids = [...new Set(mayGrant)];
  if (ids.length > 0) await tx.insert(grantableRoles).values(ids.map((grantableId) => ({ roleId, grantableId })));
}

async function grant(tx: Tx, roleId: string, nodes: readonly PermissionNodeRow[]): Promise<void> {
  if (nodes.length > 0) await tx.insert(roleNodes).values(nodes.map(({ id }) => ({ roleId, nodeId: id })));
}
