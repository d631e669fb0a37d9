import { inArray } from 'drizzle-orm';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import { toIds, revokeMailedLinks } from './administrator-effects.ts';
import { recordAccountChange } from '../platform/auth/account-changes.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import { auditedFields, presentAdministrators } from './administrator-rows.ts';
import type { Person, RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { createAppError } from '../platform/core/errors.ts';
import { assertAccessKept, assertNotSelf, lockAccessChanges } from '../platform/auth/rights/escalation.ts';
import { assertMayManage } from '../platform/auth/rights/role-granting.ts';
import { lockRows, nextVersionColumns, type FailedItem, type ItemVersion } from '../platform/records/versions.ts';
import { createManagedError, readProviderDisabled } from '../platform/auth/provisioning/managed.ts';
import { asUnmodified, writeOnce, type RecordAudit } from '../platform/records/write.ts';
import { administrators as table } from '../platform/auth/tables.ts';
import { sortByRequestedIds } from '../platform/records/list.ts';

export const administratorEntity = 'administrator';

/**
 * Locks access. Requires that rows are unchanged, not the caller and not beyond the caller's permissions. Throws the first
 * failure if none is left.
 */
export async function lockAdministrators(tx: Tx, context: RequestContext, items: readonly ItemVersion[]) {
  const actor = await lockAccessChanges(tx, context);
  const lockedRows = await tx
    .select()
    .from(table)
    .where(
      inArray(
        table.id,
        items.map(({ id }) => id),
      ),
    );
  const currentRows = new Map((await presentAdministrators(tx, actor, lockedRows)).map((row) => [row.id, row]));
  const deletedIds = new Set(lockedRows.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id));
  const existingItems = items.filter(({ id }) => !deletedIds.has(id));
  if (existingItems.length === 0) throw createAppError('NOT_FOUND');
  const { rows, failed } = await lockRows(tx, table, existingItems, ({ id }) => currentRows.get(id));
  for (const { id } of rows) {
    assertNotSelf(actor, id);
    await assertMayManage(tx, actor, id);
  }
  const missingItems = [...deletedIds].map((id): FailedItem => ({ id, code: 'NOT_FOUND' }));
  return { actor, rows, before: rows.flatMap(({ id }) => currentRows.get(id) ?? []), failed: [...failed, ...missingItems] };
}

export async function lockAdministrator(tx: Tx, context: RequestContext, { id, version }: ItemVersion) {
  const { actor, before } = await lockAdministrators(tx, context, [{ id, version }]);
  const [row] = before;
  if (!row) throw createAppError('NOT_FOUND');
  return { actor, before: row };
}

/** `applyChange` returns whether it changed anything. */
export function changeAdministrator(
  context: RequestContext,
  item: ItemVersion,
  applyChange: (tx: Tx, previousRow: AdministratorRow) => Promise<boolean>,
) {
  return writeOnce(context, item, async (tx, recordAudit) => {
    const { actor, before } = await lockAdministrator(tx, context, item);
    if (!(await applyChange(tx, before))) return asUnmodified(before);
    const row = await presentAdministrator(tx, actor, item.id);
    recordAudit({ entity: administratorEntity, id: row.id, before: auditedFields(before), after: auditedFields(row) });
    await assertAccessKept(tx, context);
    return row;
  });
}

/** Ends sessions in both directions, so that no old session becomes valid again. */
export function setEnabled(context: RequestContext, items: readonly ItemVersion[], enabled: boolean) {
  return writeOnce(context, items, async (tx, recordAudit) => {
    const { actor, rows, before, failed } = await lockAdministrators(tx, context, items);
    // Disabling takes over what the provider disabled, which then can't enable it any more.
    const changedIds = toIds(rows.filter((row) => row.enabled !== enabled || (!enabled && row.disabledBy === 'idp')));
    if (enabled && (await readProviderDisabled(tx, changedIds)).size > 0) throw createManagedError(context.services.config);
    if (changedIds.length > 0) {
      await tx
        .update(table)
        .set({ enabled, disabledBy: enabled ? null : 'panel', ...nextVersionColumns(context, table) })
        .where(inArray(table.id, changedIds));
      await revokeSessionsOf(tx, context, changedIds);
      if (enabled) await recordAccountChange(tx, context, changedIds, 'enabled');
      else await revokeMailedLinks(tx, changedIds);
    }
    const updatedRows = await readAdministratorRows(tx, actor, toIds(rows));
    auditChanges(recordAudit, before, updatedRows, changedIds);
    const result = { done: updatedRows, failed };
    if (changedIds.length === 0) return asUnmodified(result);
    await assertAccessKept(tx, context);
    return result;
  });
}

function auditChanges(
  recordAudit: RecordAudit,
  previousRows: readonly AdministratorRow[],
  updatedRows: readonly AdministratorRow[],
  ids: readonly string[],
) {
  for (const row of updatedRows) {
    const previousRow = previousRows.find(({ id }) => id === row.id);
    if (previousRow && ids.includes(row.id))
      recordAudit({ entity: administratorEntity, id: row.id, before: auditedFields(previousRow), after: auditedFields(row) });
  }
}

export async function readAdministratorRows(tx: Tx, actor: Person, ids: readonly string[]): Promise<AdministratorRow[]> {
  const rows = await tx
    .select()
    .from(table)
    .where(inArray(table.id, [...ids]));
  return sortByRequestedIds(ids, await presentAdministrators(tx, actor, rows));
}

export async function presentAdministrator(tx: Tx, actor: Person, id: string): Promise<AdministratorRow> {
  const [row] = await readAdministratorRows(tx, actor, [id]);
  if (!row) throw createAppError('NOT_FOUND');
  return row;
}
