import { and, desc, eq, inArray, isNotNull, ne, or, sql } from 'drizzle-orm';
import type { AdministratorRow } from '../../api/access/administrators.ts';
import { recordAccountChange } from '../platform/auth/account-changes.ts';
import { replaceProviderRoles } from '../platform/auth/provisioning/group-roles.ts';
import { assertAccessKept } from '../platform/auth/rights/escalation.ts';
import { readMoneyHolders } from '../platform/auth/rights/money-rights.ts';
import { notifyOwner } from '../platform/auth/sign-in/notify-owner.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import { administrators as table, provisioned, provisioningConflicts, scimGroupMembers } from '../platform/auth/tables.ts';
import { createAppError } from '../platform/core/errors.ts';
import type { Tx } from '../platform/db/db.ts';
import { nextVersionColumns, type ItemVersion } from '../platform/records/versions.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import type { Person, RequestContext } from '../platform/services/context.ts';
import { assertDistinctEmail, revokeMailedLinks, throwEmailTaken, toIds } from './administrator-effects.ts';
import { auditedFields } from './administrator-rows.ts';
import {
  administratorEntity,
  lockAdministrator,
  lockAdministrators,
  presentAdministrator,
  readAdministratorRows,
} from './administrator-writes.ts';

const managedEntity = 'provisionedUser';

/** Throws LAST_ACCESS for the last access manager that the provider can't disable. */
export function letProviderManage(context: RequestContext, items: readonly ItemVersion[]) {
  return writeOnce(context, items, async (tx, recordAudit) => {
    const { actor, before, failed } = await lockAdministrators(tx, context, items);
    const changed = before.filter(({ managed }) => !managed);
    for (const row of changed) {
      const identifiers = await handOver(tx, context, actor, row);
      recordAudit({
        entity: managedEntity,
        id: row.id,
        before: { email: row.email, managed: false },
        after: { email: row.email, managed: true, ...identifiers },
      });
    }
    const revived = await reviveDeleted(tx, toIds(before));
    for (const { id, before: previous, after } of revived)
      recordAudit({ entity: managedEntity, id, before: { ...previous, managed: false }, after: { ...after, managed: true } });
    await tx.delete(provisioningConflicts).where(inArray(provisioningConflicts.administratorId, toIds(before)));
    await raiseVersions(tx, context, toIds(changed));
    const result = { done: await readAdministratorRows(tx, actor, toIds(before)), failed };
    if (changed.length === 0 && revived.length === 0) return asUnmodified(result);
    await assertAccessKept(tx, context);
    return result;
  });
}

/**
 * Users that SCIM deleted come back under the provider's control, and stay disabled until it says otherwise. With the identifiers
 * of the refused request, because a person who comes back may have others. Throws IN_USE.
 */
async function reviveDeleted(tx: Tx, ids: readonly string[]) {
  const isDeleted = and(inArray(provisioned.administratorId, [...ids]), isNotNull(provisioned.deletedAt));
  const revived = [];
  for (const { administratorId, email, ...row } of await tx.select().from(provisioned).where(isDeleted)) {
    const [conflict] = await tx
      .select()
      .from(provisioningConflicts)
      .where(eq(provisioningConflicts.administratorId, administratorId));
    const { userName, externalId } = conflict ?? row;
    await assertIdentifiersFree(tx, administratorId, { userName, externalId });
    await tx
      .update(provisioned)
      .set({ deletedAt: null, userName, externalId })
      .where(eq(provisioned.administratorId, administratorId));
    revived.push({
      id: administratorId,
      before: { email, userName: row.userName, externalId: row.externalId },
      after: { email, userName, externalId },
    });
  }
  return revived;
}

/** Throws IN_USE. */
async function assertIdentifiersFree(
  tx: Tx,
  ownId: string,
  { userName, externalId }: Pick<typeof provisioned.$inferSelect, 'userName' | 'externalId'>,
): Promise<void> {
  const others = await tx.$count(provisioned, and(ne(provisioned.administratorId, ownId), hasIdentifier(userName, externalId)));
  if (others > 0) throw createAppError('IN_USE', { by: [userName] });
}

const hasIdentifier = (userName: string, externalId: string | null) =>
  or(sql`lower(${provisioned.userName}) = lower(${userName}::text)`, sql`${provisioned.externalId} = ${externalId}::text`);

/** Returns the identifiers by which the provider finds the account: those of a refused request, if there is one. */
async function handOver(tx: Tx, context: RequestContext, actor: Person, { id, email }: AdministratorRow) {
  const isOfAccount = or(eq(provisioningConflicts.administratorId, id), eq(provisioningConflicts.email, email));
  const [conflict] = await tx
    .select()
    .from(provisioningConflicts)
    .where(isOfAccount)
    .orderBy(desc(eq(provisioningConflicts.administratorId, id)), desc(provisioningConflicts.lastAt))
    .limit(1);
  const userName = conflict?.userName ?? email;
  const externalId = conflict?.externalId ?? null;
  // A leaver who came back: the identifiers move from the deleted account.
  const isDeletedAccount = sql`exists (select from ${table} a where a.id = ${provisioned.administratorId} and a.deleted_at is not null)`;
  await tx.delete(provisioned).where(and(hasIdentifier(userName, externalId), isDeletedAccount));
  if (conflict) await tx.delete(provisioningConflicts).where(eq(provisioningConflicts.id, conflict.id));
  const currentTime = new Date(context.services.now());
  const inserted = await tx
    .insert(provisioned)
    .values({
      administratorId: id,
      userName,
      externalId,
      email,
      handedOverBy: actor.id,
      createdAt: currentTime,
      updatedAt: currentTime,
    })
    .onConflictDoNothing()
    .returning({ id: provisioned.administratorId });
  if (inserted.length === 0) throw createAppError('IN_USE', { by: [userName] });
  return { userName, externalId };
}

/** The account and roles given in the panel stay. An account that the provider disabled can be enabled here afterwards. */
export function stopProviderManaging(context: RequestContext, items: readonly ItemVersion[]) {
  return writeOnce(context, items, async (tx, recordAudit) => {
    const { actor, before, failed } = await lockAdministrators(tx, context, items);
    const changed = before.filter(({ managed }) => managed);
    const ids = toIds(changed);
    for (const { id, email } of changed) {
      await replaceProviderRoles(tx, id, []);
      recordAudit({ entity: managedEntity, id, before: { email, managed: true }, after: { email, managed: false } });
    }
    if (ids.length > 0) {
      await tx.delete(scimGroupMembers).where(inArray(scimGroupMembers.administratorId, ids));
      await tx.delete(provisioned).where(inArray(provisioned.administratorId, ids));
      await tx
        .update(table)
        .set({ disabledBy: 'panel' })
        .where(and(inArray(table.id, ids), eq(table.disabledBy, 'idp')));
      await raiseVersions(tx, context, ids);
    }
    const result = { done: await readAdministratorRows(tx, actor, toIds(before)), failed };
    return ids.length === 0 ? asUnmodified(result) : result;
  });
}

const raiseVersions = (tx: Tx, context: RequestContext, ids: readonly string[]) =>
  tx
    .update(table)
    .set(nextVersionColumns(context, table))
    .where(inArray(table.id, [...ids]));

/** For an account with guarded permissions, whose email the provider can't change. */
export function acceptProviderEmail(context: RequestContext, item: ItemVersion) {
  return writeOnce(context, item, async (tx, recordAudit) => {
    const { actor, before } = await lockAdministrator(tx, context, item);
    const [provider] = await tx.select().from(provisioned).where(eq(provisioned.administratorId, item.id));
    if (!provider) throw createAppError('NOT_FOUND');
    const { email } = provider;
    if (email === before.email) return asUnmodified(before);
    const holders = await readMoneyHolders(tx);
    await assertDistinctEmail(tx, email, item.id);
    await tx
      .update(table)
      .set({ email, ...nextVersionColumns(context, table) })
      .where(eq(table.id, item.id))
      .catch(throwEmailTaken);
    await revokeMailedLinks(tx, [item.id]);
    for (const recipientEmail of [before.email, email]) await notifyOwner(tx, context, recipientEmail, 'emailChangedByColleague');
    await recordAccountChange(tx, context, [item.id], 'email', holders);
    await revokeSessionsOf(tx, context, [item.id]);
    const row = await presentAdministrator(tx, actor, item.id);
    recordAudit({ entity: administratorEntity, id: row.id, before: auditedFields(before), after: auditedFields(row) });
    return row;
  });
}
