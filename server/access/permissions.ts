import { eq, inArray, sql } from 'drizzle-orm';
import { nodeKindOf, type NodePosition, type NodeRow, type TreeChange } from '../../api/access/permissions.ts';
import { buildBuiltInTree, hasEffect, isScreen } from '../platform/auth/rights/built-in-tree.ts';
import type { Person, RequestContext } from '../platform/services/context.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import { recordRightsGained } from '../platform/auth/account-changes.ts';
import { readMoneyHolders } from '../platform/auth/rights/money-rights.ts';
import { assertAccessKept, assertMayGrant, lockAccessChanges } from '../platform/auth/rights/escalation.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { readTree, collectSubtree, type PermissionNodeRow } from '../platform/auth/rights/permission-tree.ts';
import { planReset, type ResetPlan } from '../platform/auth/rights/tree-reset.ts';
import type { ItemVersion } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce, type RecordAudit } from '../platform/records/write.ts';
import { permissionNodes as table, roleNodes, roles, serviceTokenNodes } from '../platform/auth/tables.ts';
import { sortByRequestedIds } from '../platform/records/list.ts';
import { nextVersionColumns } from '../platform/records/versions.ts';

export const permissions = {
  tree: guardedApi.permissions.tree.handler(({ context }) => presentTree(context.db)),

  many: guardedApi.permissions.many.handler(async ({ input, context }) => {
    return sortByRequestedIds(input.ids, await presentTree(context.db));
  }),

  changes: guardedApi.permissions.changes.handler(async ({ context }) => ({
    changes: describeChanges(planReset(await readTree(context.db), buildBuiltInTree()), await presentTree(context.db)),
  })),

  add: guardedApi.permissions.add.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      await lockAccessChanges(tx, context);
      const { to, place, identifier, zh, en } = input;
      const kind = nodeKindOf(identifier);
      const rows = await readTree(tx);
      assertIdentifier(rows, { kind, identifier }, null);
      if (rows.length >= maxNodes) throw createFieldError('identifier', 'tooMany');
      const slot = findSlot(rows, { kind, identifier }, { to, place });
      assertDepth(rows, slot, 1);
      const now = new Date(context.services.now());
      const id = newId();
      await tx.insert(table).values({
        id,
        parentId: slot.parentId,
        kind,
        identifier,
        nameZh: zh,
        nameEn: en,
        position: 0,
        createdAt: now,
        updatedAt: now,
      });
      await reorderSiblings(tx, id, slot);
      const row = await readNode(tx, id);
      recordAudit({ entity: 'permission', id, after: presentForAudit(row, rows) });
      return row;
    }),
  ),

  edit: guardedApi.permissions.edit.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      const previousNode = await lockNode(tx, input);
      const previousHolders = await readMoneyHolders(tx);
      const { id, identifier, zh, en } = input;
      if (identifier !== previousNode.identifier) {
        const rows = await readTree(tx);
        assertIdentifier(rows, { kind: previousNode.kind, identifier }, id);
        if (isScreen(identifier) && rows.some(({ parentId, kind }) => parentId === id && kind === 'menu'))
          throw createFieldError('identifier');
        // Holders of the node now have another permission.
        if (previousNode.roles.length > 0) await assertMayGrant(tx, actor, [previousNode.identifier, identifier]);
        // Otherwise tokens would get a permission that no administrator chose for them.
        await tx.delete(serviceTokenNodes).where(eq(serviceTokenNodes.nodeId, id));
      }
      await tx
        .update(table)
        .set({ identifier, nameZh: zh, nameEn: en, ...nextVersionColumns(context, table) })
        .where(eq(table.id, id));
      await recordRightsGained(tx, context, previousHolders);
      await assertAccessKept(tx, context);
      const updatedNode = await readNode(tx, id);
      const rows = await readTree(tx);
      recordAudit({
        entity: 'permission',
        id,
        before: presentForAudit(previousNode, rows),
        after: presentForAudit(updatedNode, rows),
      });
      return updatedNode;
    }),
  ),

  move: guardedApi.permissions.move.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      await lockAccessChanges(tx, context);
      const previousNode = await lockNode(tx, input);
      const rows = await readTree(tx);
      const { id, to, place } = input;
      if (collectSubtree(rows, id).some((row) => row.id === to)) throw createFieldError('to');
      const slot = findSlot(rows, previousNode, { to, place });
      assertDepth(rows, slot, countLevelsBelow(rows, id));
      const previousDestination = findDestination(rows, id);
      await tx
        .update(table)
        .set({ parentId: slot.parentId, ...nextVersionColumns(context, table) })
        .where(eq(table.id, id));
      await reorderSiblings(tx, id, slot);
      await assertAccessKept(tx, context);
      const row = await readNode(tx, id);
      recordAudit({
        entity: 'permission',
        id,
        before: { ...presentForAudit(previousNode, rows), ...presentDestinationForAudit(previousDestination, rows) },
        after: { ...presentForAudit(row, rows), ...presentDestinationForAudit({ to, place }, rows) },
      });
      return { row, was: previousDestination };
    }),
  ),

  remove: guardedApi.permissions.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      await lockNode(tx, input);
      const subtreeIds = new Set(collectSubtree(await readTree(tx), input.id).map(({ id }) => id));
      const deletedNodes = (await presentTree(tx)).filter(({ id }) => subtreeIds.has(id));
      await removeNodes(context, tx, actor, deletedNodes, recordAudit);
      await assertAccessKept(tx, context);
      return { removed: deletedNodes.map(({ id }) => id) };
    }),
  ),

  reset: guardedApi.permissions.reset.handler(({ context }) =>
    writeOnce(context, null, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      const previousTree = await presentTree(tx);
      const resetPlan = planReset(await readTree(tx), buildBuiltInTree());
      const changes = describeChanges(resetPlan, previousTree);
      if (changes.length === 0) return asUnmodified({ changes });
      await resetBuiltInNodes(context, tx, resetPlan);
      const removedIds = new Set(resetPlan.removed.map(({ id }) => id));
      await removeNodes(
        context,
        tx,
        actor,
        previousTree.filter(({ id }) => removedIds.has(id)),
        recordAudit,
      );
      await assertAccessKept(tx, context);
      recordAudit({ entity: 'permission', id: null, after: { changes } });
      return { changes };
    }),
  ),
};

// ── Showing ────────────────────────────────────────────────────────────────

async function presentTree(queries: Queries): Promise<NodeRow[]> {
  const grantedRoles = await queries
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
    roles: grantedRoles.filter(({ nodeId }) => nodeId === row.id).map(({ id, name }) => ({ id, name })),
  }));
}

async function readNode(queries: Queries, id: string): Promise<NodeRow> {
  const row = (await presentTree(queries)).find((nodeRow) => nodeRow.id === id);
  if (!row) throw createAppError('NOT_FOUND');
  return row;
}

/** Locks access. NOT_FOUND, or CONFLICT with the current node. */
async function lockNode(tx: Tx, { id, version }: ItemVersion): Promise<NodeRow> {
  const row = await readNode(tx, id);
  if (row.version !== version) throw createAppError('CONFLICT', { current: row });
  return row;
}

const findIdentifier = (rows: readonly PermissionNodeRow[], id: string | null) =>
  rows.find((row) => row.id === id)?.identifier ?? null;

/** Refers to other nodes by identifier. */
const presentForAudit = ({ roles: granted, parentId, ...row }: NodeRow, rows: readonly PermissionNodeRow[]) => ({
  ...row,
  parent: findIdentifier(rows, parentId),
  roles: granted.map(({ name }) => name),
});
const presentDestinationForAudit = ({ to, place }: NodeDestination, rows: readonly PermissionNodeRow[]) => ({
  to: findIdentifier(rows, to),
  place,
});

function describeChanges({ wanted, removed }: ResetPlan, rows: readonly NodeRow[]): TreeChange[] {
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
  if (nodeKindOf(identifier) !== kind) throw createFieldError('identifier');
  if (rows.some((row) => row.identifier === identifier && row.id !== id)) throw createFieldError('identifier', 'taken');
}

interface NodeDestination {
  to: string;
  place: NodePosition;
}
interface NodeSlot {
  parentId: string | null;
  siblings: string[];
  at: number;
}

/** Functions belong in menus, menus in groups or at the top, never in a screen. */
function findSlot(rows: readonly PermissionNodeRow[], node: NodeIdentity, { to, place }: NodeDestination): NodeSlot {
  const target = rows.find(({ id }) => id === to);
  if (!target) throw createFieldError('to');
  const parent = place === 'under' ? target : (rows.find(({ id }) => id === target.parentId) ?? null);
  const isMenu = node.kind === 'menu';
  if (parent === null ? !isMenu : parent.kind === 'function' || (isMenu && isScreen(parent.identifier)))
    throw createFieldError('place');
  const siblings = rows.filter(({ parentId }) => parentId === (parent?.id ?? null)).map(({ id }) => id);
  const targetIndex = siblings.indexOf(to);
  return {
    parentId: parent?.id ?? null,
    siblings,
    at: place === 'under' ? siblings.length : targetIndex + (place === 'after' ? 1 : 0),
  };
}

/** Every change reads all nodes level by level. */
const maxNodes = 2_000;
const maxLevels = 8;

/** Throws BAD_REQUEST if the tree becomes too deep. */
function assertDepth(rows: readonly PermissionNodeRow[], { parentId }: NodeSlot, levels: number): void {
  const parents = new Map(rows.map((row) => [row.id, row.parentId]));
  let depth = levels;
  for (let ancestorId = parentId; ancestorId !== null; ancestorId = parents.get(ancestorId) ?? null) depth++;
  if (depth > maxLevels) throw createFieldError('place', 'tooDeep');
}

/** 1 for a leaf. */
function countLevelsBelow(rows: readonly PermissionNodeRow[], id: string): number {
  const children = rows.filter(({ parentId }) => parentId === id);
  return 1 + Math.max(0, ...children.map((child) => countLevelsBelow(rows, child.id)));
}

/** As input of `move`. */
function findDestination(rows: readonly PermissionNodeRow[], id: string): NodeDestination {
  const node = rows.find((row) => row.id === id);
  const siblings = rows.filter(({ parentId }) => parentId === node?.parentId);
  const nodeIndex = siblings.findIndex((row) => row.id === id);
  const [previousSiblingId, nextSiblingId] = [siblings[nodeIndex - 1], siblings[nodeIndex + 1]];
  if (previousSiblingId) return { to: previousSiblingId.id, place: 'after' };
  if (nextSiblingId) return { to: nextSiblingId.id, place: 'before' };
  return { to: node?.parentId ?? id, place: 'under' };
}

// ── Changing ───────────────────────────────────────────────────────────────

async function reorderSiblings(tx: Tx, id: string, { siblings, at: insertIndex }: NodeSlot): Promise<void> {
  const order = [...siblings.slice(0, insertIndex), id, ...siblings.slice(insertIndex)].filter(
    (siblingId, index) => siblingId !== id || index === insertIndex,
  );
  for (const [position, siblingId] of order.entries()) await tx.update(table).set({ position }).where(eq(table.id, siblingId));
}

/** Also from roles. The caller must have the removed permissions. */
async function removeNodes(
  context: RequestContext,
  tx: Tx,
  actor: Person,
  deletedNodes: readonly NodeRow[],
  recordAudit: RecordAudit,
): Promise<void> {
  if (deletedNodes.length === 0) return;
  const grantedNodes = deletedNodes.filter(({ roles: granted }) => granted.length > 0);
  await assertMayGrant(
    tx,
    actor,
    grantedNodes.map(({ identifier }) => identifier),
  );
  const losingRoleIds = [...new Set(grantedNodes.flatMap(({ roles: granted }) => granted.map(({ id }) => id)))];
  // A new version, so that an open form cannot save the lost grant.
  if (losingRoleIds.length > 0)
    await tx
      .update(roles)
      .set({ version: sql`${roles.version} + 1`, updatedAt: new Date(context.services.now()) })
      .where(inArray(roles.id, losingRoleIds));
  const rows = await readTree(tx);
  await tx.delete(table).where(
    inArray(
      table.id,
      deletedNodes.map(({ id }) => id),
    ),
  );
  for (const row of deletedNodes) recordAudit({ entity: 'permission', id: row.id, before: presentForAudit(row, rows) });
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
        .set({ ...fields, ...(renamed || moved ? nextVersionColumns(context, table) : {}) })
        .where(eq(table.id, id));
    }
  }
}
