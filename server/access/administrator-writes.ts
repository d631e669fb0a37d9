import { inArray } from 'drizzle-orm';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import { toIds, revokeMailedLinks } from './administrator-effects.ts';
import { recordAccountChange } from '../platform/auth/account-changes.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import { auditedFields, presentAdministrators } from './administrator-rows.ts';
import type { Person, RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { appError } from '../platform/core/errors.ts';
import { assertAccessKept, assertNotSelf, lockAccess } from '../platform/auth/rights/escalation.ts';
import { assertMayManage } from '../platform/auth/rights/giving.ts';
import { lockRows, nextVersion, type FailedItem, type ItemVersion } from '../platform/records/versions.ts';
import { unmodified, writeOnce, type RecordAudit } from '../platform/records/write.ts';
import { administrators as table } from '../platform/auth/tables.ts';
import { inRequestedOrder } from '../platform/records/list.ts';

export const administratorEntity = 'administrator';

/**
 * Locks access. Requires that rows are unchanged, not the caller and not beyond the caller's permissions. Throws the first
 * failure if none is left.
 */
export async function lockAdministrators(tx: Tx, context: RequestContext, items: readonly ItemVersion[]) {
  const actor = await lockAccess(tx, context);
  const lockedRows = await tx
    .select()
    .from(table)
    .where(
      inArray(
        table.id,
        items.map(({ id }) => id),
      ),
    );
  const current = new Map((await presentAdministrators(tx, actor, lockedRows)).map((row) => [row.id, row]));
  const deletedIds = new Set(lockedRows.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id));
  const there = items.filter(({ id }) => !deletedIds.has(id));
  if (there.length === 0) throw appError('NOT_FOUND');
  const { rows, failed } = await lockRows(tx, table, there, ({ id }) => current.get(id));
  for (const { id } of rows) {
    assertNotSelf(actor, id);
    await assertMayManage(tx, actor, id);
  }
  const lost = [...deletedIds].map((id): FailedItem => ({ id, code: 'NOT_FOUND' }));
  return { actor, rows, before: rows.flatMap(({ id }) => current.get(id) ?? []), failed: [...failed, ...lost] };
}

export async function lockAdministrator(tx: Tx, context: RequestContext, { id, version }: ItemVersion) {
  const { actor, before } = await lockAdministrators(tx, context, [{ id, version }]);
  const [row] = before;
  if (!row) throw appError('NOT_FOUND');
  return { actor, before: row };
}

/** `effect` returns whether it changed anything. */
export function changeAdministrator(
  context: RequestContext,
  item: ItemVersion,
  effect: (tx: Tx, before: AdministratorRow) => Promise<boolean>,
) {
  return writeOnce(context, item, async (tx, note) => {
    const { actor, before } = await lockAdministrator(tx, context, item);
    if (!(await effect(tx, before))) return unmodified(before);
    const row = await presentAdministrator(tx, actor, item.id);
    note({ entity: administratorEntity, id: row.id, before: auditedFields(before), after: auditedFields(row) });
    await assertAccessKept(tx, context);
    return row;
  });
}

/** Ends sessions in both directions, so that no old session becomes valid again. */
export function setEnabled(context: RequestContext, items: readonly ItemVersion[], enabled: boolean) {
  return writeOnce(context, items, async (tx, note) => {
    const { actor, rows, before, failed } = await lockAdministrators(tx, context, items);
    const changing = toIds(rows.filter((row) => row.enabled !== enabled));
    if (changing.length > 0) {
      await tx
        .update(table)
        .set({ enabled, ...nextVersion(context, table) })
        .where(inArray(table.id, changing));
      await revokeSessionsOf(tx, context, changing);
      if (enabled) await recordAccountChange(tx, context, changing, 'enabled');
      else await revokeMailedLinks(tx, changing);
    }
    const after = await readAdministratorRows(tx, actor, toIds(rows));
    noteChanges(note, before, after, changing);
    const result = { done: after, failed };
    if (changing.length === 0) return unmodified(result);
    await assertAccessKept(tx, context);
    return result;
  });
}

function noteChanges(
  note: RecordAudit,
  before: readonly AdministratorRow[],
  after: readonly AdministratorRow[],
  ids: readonly string[],
) {
  for (const row of after) {
    const was = before.find(({ id }) => id === row.id);
    if (was && ids.includes(row.id))
      note({ entity: administratorEntity, id: row.id, before: auditedFields(was), after: auditedFields(row) });
  }
}

export async function readAdministratorRows(tx: Tx, actor: Person, ids: readonly string[]): Promise<AdministratorRow[]> {
  const rows = await tx
    .select()
    .from(table)
    .where(inArray(table.id, [...ids]));
  return inRequestedOrder(ids, await presentAdministrators(tx, actor, rows));
}

export async function presentAdministrator(tx: Tx, actor: Person, id: string): Promise<AdministratorRow> {
  const [row] = await readAdministratorRows(tx, actor, [id]);
  if (!row) throw appError('NOT_FOUND');
  return row;
}
