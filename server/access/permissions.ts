import { eq, inArray, sql } from 'drizzle-orm';
import { kindOfNode, type NodePlace, type NodeRow, type TreeChange } from '../../api/access/permissions.ts';
import { builtInTree, hasEffect, isScreen } from '../platform/auth/rights/built-in-tree.ts';
import type { Person, RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { badField, appError } from '../platform/core/errors.ts';
import { recordRightsGained } from '../platform/auth/account-changes.ts';
import { moneyHolders } from '../platform/auth/rights/money-rights.ts';
import { assertAccessKept, assertMayGrant, lockAccess } from '../platform/auth/rights/escalation.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { readTree, subtree, type PermissionNodeRow } from '../platform/auth/rights/permission-tree.ts';
import { planReset, type ResetPlan } from '../platform/auth/rights/tree-reset.ts';
import type { ItemVersion } from '../platform/records/versions.ts';
import { unmodified, writeOnce, type RecordAudit } from '../platform/records/write.ts';
import { permissionNodes as table, roleNodes, roles } from '../platform/auth/tables.ts';
import { inRequestedOrder } from '../platform/records/list.ts';
import { nextVersion } from '../platform/records/versions.ts';

export const permissions = {
  tree: guardedApi.permissions.tree.handler(({ context }) => presentTree(context.db)),

  many: guardedApi.permissions.many.handler(async ({ input, context }) => {
    return inRequestedOrder(input.ids, await presentTree(context.db));
  }),

  changes: guardedApi.permissions.changes.handler(async ({ context }) => ({
    changes: changesOf(planReset(await readTree(context.db), builtInTree()), await presentTree(context.db)),
  })),

  add: guardedApi.permissions.add.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      await lockAccess(tx, context);
      const { to, place, identifier, zh, en } = input;
      const kind = kindOfNode(identifier);
      const rows = await readTree(tx);
      assertIdentifier(rows, { kind, identifier }, null);
      if (rows.length >= maxNodes) throw badField('identifier', 'tooMany');
      const spot = positionFor(rows, { kind, identifier }, { to, place });
      assertDepth(rows, spot, 1);
      const now = new Date(context.services.now());
      const id = newId();
      await tx.insert(table).values({
        id,
        parentId: spot.parentId,
        kind,
        identifier,
        nameZh: zh,
        nameEn: en,
        position: 0,
        createdAt: now,
        updatedAt: now,
      });
      await reorderSiblings(tx, id, spot);
      const row = await oneNode(tx, id);
      note({ entity: 'permission', id, after: forAudit(row, rows) });
      return row;
    }),
  ),

  edit: guardedApi.permissions.edit.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const actor = await lockAccess(tx, context);
      const before = await lockNode(tx, input);
      const holders = await moneyHolders(tx);
      const { id, identifier, zh, en } = input;
      if (identifier !== before.identifier) {
        const rows = await readTree(tx);
        assertIdentifier(rows, { kind: before.kind, identifier }, id);
        if (isScreen(identifier) && rows.some(({ parentId, kind }) => parentId === id && kind === 'menu'))
          throw badField('identifier');
        // Holders of the node now have another permission.
        if (before.roles.length > 0) await assertMayGrant(tx, actor, [before.identifier, identifier]);
      }
      await tx
        .update(table)
        .set({ identifier, nameZh: zh, nameEn: en, ...nextVersion(context, table) })
        .where(eq(table.id, id));
      await recordRightsGained(tx, context, holders);
      await assertAccessKept(tx, context);
      const after = await oneNode(tx, id);
      const rows = await readTree(tx);
      note({ entity: 'permission', id, before: forAudit(before, rows), after: forAudit(after, rows) });
      return after;
    }),
  ),

  move: guardedApi.permissions.move.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      await lockAccess(tx, context);
      const before = await lockNode(tx, input);
      const rows = await readTree(tx);
      const { id, to, place } = input;
      if (subtree(rows, id).some((row) => row.id === to)) throw badField('to');
      const spot = positionFor(rows, before, { to, place });
      assertDepth(rows, spot, levelsBelow(rows, id));
      const was = targetOf(rows, id);
      await tx
        .update(table)
        .set({ parentId: spot.parentId, ...nextVersion(context, table) })
        .where(eq(table.id, id));
      await reorderSiblings(tx, id, spot);
      await assertAccessKept(tx, context);
      const row = await oneNode(tx, id);
      note({
        entity: 'permission',
        id,
        before: { ...forAudit(before, rows), ...targetForAudit(was, rows) },
        after: { ...forAudit(row, rows), ...targetForAudit({ to, place }, rows) },
      });
      return { row, was };
    }),
  ),

  remove: guardedApi.permissions.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const actor = await lockAccess(tx, context);
      await lockNode(tx, input);
      const inside = new Set(subtree(await readTree(tx), input.id).map(({ id }) => id));
      const deletedNodes = (await presentTree(tx)).filter(({ id }) => inside.has(id));
      await removeNodes(context, tx, actor, deletedNodes, note);
      await assertAccessKept(tx, context);
      return { removed: deletedNodes.map(({ id }) => id) };
    }),
  ),

  reset: guardedApi.permissions.reset.handler(({ context }) =>
    writeOnce(context, null, async (tx, note) => {
      const actor = await lockAccess(tx, context);
      const before = await presentTree(tx);
      const plan = planReset(await readTree(tx), builtInTree());
      const changes = changesOf(plan, before);
      if (changes.length === 0) return unmodified({ changes });
      await resetBuiltInNodes(context, tx, plan);
      const removed = new Set(plan.removed.map(({ id }) => id));
      await removeNodes(
        context,
        tx,
        actor,
        before.filter(({ id }) => removed.has(id)),
        note,
      );
      await assertAccessKept(tx, context);
      note({ entity: 'permission', id: null, after: { changes } });
      return { changes };
    }),
  ),
};

// ── Showing ────────────────────────────────────────────────────────────────

async function presentTree(queries: Queries): Promise<NodeRow[]> {
  const granted = await queries
    .select({ nodeId: roleNodes.nodeId, id: roles.id, name: roles.name })
    .from(roleNodes)
    .innerJoin(roles, eq(roles.id, roleNodes.roleId))
    .orderBy(roles.name);
  return (await readTree(queries)).map((row) => ({
    id: row.id,
    version: row.version,
    parentId: row.parentId,
    kind: row.kind,
    identifier: row.identifier,
    zh: row.nameZh,
    en: row.nameEn,
    hasEffect: hasEffect(row),
    roles: granted.filter(({ nodeId }) => nodeId === row.id).map(({ id, name }) => ({ id, name })),
  }));
}

async function oneNode(queries: Queries, id: string): Promise<NodeRow> {
  const row = (await presentTree(queries)).find((node) => node.id === id);
  if (!row) throw appError('NOT_FOUND');
  return row;
}

/** Locks access. NOT_FOUND, or CONFLICT with the current node. */
async function lockNode(tx: Tx, { id, version }: ItemVersion): Promise<NodeRow> {
  const row = await oneNode(tx, id);
  if (row.version !== version) throw appError('CONFLICT', { current: row });
  return row;
}

const identifierOf = (rows: readonly PermissionNodeRow[], id: string | null) =>
  rows.find((row) => row.id === id)?.identifier ?? null;

/** Refers to other nodes by identifier. */
const forAudit = ({ roles: granted, parentId, ...row }: NodeRow, rows: readonly PermissionNodeRow[]) => ({
  ...row,
  parent: identifierOf(rows, parentId),
  roles: granted.map(({ name }) => name),
});
const targetForAudit = ({ to, place }: NodeDestination, rows: readonly PermissionNodeRow[]) => ({
  to: identifierOf(rows, to),
  place,
});

function changesOf({ wanted, removed }: ResetPlan, rows: readonly NodeRow[]): TreeChange[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return [
    ...wanted.flatMap(({ identifier, zh, en, row, renamed, moved }): TreeChange[] => {
      const node = { identifier, zh, en, roles: [] };
      if (row === null) return [{ what: 'added', ...node }];
      return [
        ...(renamed ? [{ what: 'renamed' as const, ...node }] : []),
        ...(moved ? [{ what: 'moved' as const, ...node }] : []),
      ];
    }),
    ...removed.map(({ id, identifier, nameZh, nameEn }): TreeChange => ({
      what: 'removed',
      identifier,
      zh: nameZh,
      en: nameEn,
      roles: byId.get(id)?.roles.map(({ name }) => name) ?? [],
    })),
  ];
}

// ── Rules ──────────────────────────────────────────────────────────────────

type NodeIdentity = Pick<PermissionNodeRow, 'kind' | 'identifier'>;

/** Identifiers are unique. A menu's is a path. */
function assertIdentifier(rows: readonly PermissionNodeRow[], { kind, identifier }: NodeIdentity, id: string | null): void {
  if (kindOfNode(identifier) !== kind) throw badField('identifier');
  if (rows.some((row) => row.identifier === identifier && row.id !== id)) throw badField('identifier', 'taken');
}

interface NodeDestination {
  to: string;
  place: NodePlace;
}
interface NodeSlot {
  parentId: string | null;
  siblings: string[];
  at: number;
}

/** Functions belong in menus, menus in groups or at the top, never in a screen. */
function positionFor(rows: readonly PermissionNodeRow[], node: NodeIdentity, { to, place }: NodeDestination): NodeSlot {
  const target = rows.find(({ id }) => id === to);
  if (!target) throw badField('to');
  const parent = place === 'under' ? target : (rows.find(({ id }) => id === target.parentId) ?? null);
  const isMenu = node.kind === 'menu';
  if (parent === null ? !isMenu : parent.kind === 'function' || (isMenu && isScreen(parent.identifier))) throw badField('place');
  const siblings = rows.filter(({ parentId }) => parentId === (parent?.id ?? null)).map(({ id }) => id);
  const beside = siblings.indexOf(to);
  return {
    parentId: parent?.id ?? null,
    siblings,
    at: place === 'under' ? siblings.length : beside + (place === 'after' ? 1 : 0),
  };
}

/** Every change reads all nodes level by level. */
const maxNodes = 2_000;
const maxLevels = 8;

/** Throws BAD_REQUEST if the tree becomes too deep. */
function assertDepth(rows: readonly PermissionNodeRow[], { parentId }: NodeSlot, levels: number): void {
  const parents = new Map(rows.map((row) => [row.id, row.parentId]));
  let depth = levels;
  for (let at = parentId; at !== null; at = parents.get(at) ?? null) depth++;
  if (depth > maxLevels) throw badField('place', 'tooDeep');
}

/** 1 for a leaf. */
function levelsBelow(rows: readonly PermissionNodeRow[], id: string): number {
  const children = rows.filter(({ parentId }) => parentId === id);
  return 1 + Math.max(0, ...children.map((child) => levelsBelow(rows, child.id)));
}

/** As input of `move`. */
function targetOf(rows: readonly PermissionNodeRow[], id: string): NodeDestination {
  const node = rows.find((row) => row.id === id);
  const siblings = rows.filter(({ parentId }) => parentId === node?.parentId);
  const at = siblings.findIndex((row) => row.id === id);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (before) return { to: before.id, place: 'after' };
  if (after) return { to: after.id, place: 'before' };
  return { to: node?.parentId ?? id, place: 'under' };
}

// ── Changing ───────────────────────────────────────────────────────────────

async function reorderSiblings(tx: Tx, id: string, { siblings, at }: NodeSlot): Promise<void> {
  const order = [...siblings.slice(0, at), id, ...siblings.slice(at)].filter((one, index) => one !== id || index === at);
  for (const [position, one] of order.entries()) await tx.update(table).set({ position }).where(eq(table.id, one));
}

/** Also from roles. The caller must have the removed permissions. */
async function removeNodes(
  context: RequestContext,
  tx: Tx,
  actor: Person,
  deletedNodes: readonly NodeRow[],
  note: RecordAudit,
): Promise<void> {
  if (deletedNodes.length === 0) return;
  const held = deletedNodes.filter(({ roles: granted }) => granted.length > 0);
  await assertMayGrant(
    tx,
    actor,
    held.map(({ identifier }) => identifier),
  );
  const losing = [...new Set(held.flatMap(({ roles: granted }) => granted.map(({ id }) => id)))];
  // A new version, so that an open form cannot save the lost grant.
  if (losing.length > 0)
    await tx
      .update(roles)
      .set({ version: sql`${roles.version} + 1`, updatedAt: new Date(context.services.now()) })
      .where(inArray(roles.id, losing));
  const rows = await readTree(tx);
  await tx.delete(table).where(
    inArray(
      table.id,
      deletedNodes.map(({ id }) => id),
    ),
  );
  for (const row of deletedNodes) note({ entity: 'permission', id: row.id, before: forAudit(row, rows) });
}

async function resetBuiltInNodes(context: RequestContext, tx: Tx, { wanted }: ResetPlan): Promise<void> {
  const ids = new Map<string, string>();
  for (const { identifier, kind, zh, en, parent, position, row, renamed, moved } of wanted) {
    const id = row?.id ?? newId();
    ids.set(identifier, id);
    const parentId = parent === null ? null : (ids.get(parent) ?? null);
    const fields = { parentId, kind, nameZh: zh, nameEn: en, position };
    if (row === null) {
      const now = new Date(context.services.now());
      await tx.insert(table).values({ id, identifier, ...fields, createdAt: now, updatedAt: now });
    } else {
      await tx
        .update(table)
        .set({ ...fields, ...(renamed || moved ? nextVersion(context, table) : {}) })
        .where(eq(table.id, id));
    }
  }
}
