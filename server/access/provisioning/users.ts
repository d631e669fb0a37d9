import { and, asc, count, eq, gt, isNull, or, sql, type SQL } from 'drizzle-orm';
import type { ProvisioningConflictReason } from '../../../api/access/identity-values.ts';
import { isLookAlike } from '../../../api/look-alikes.ts';
import { recordAccountChange } from '../../platform/auth/account-changes.ts';
import {
  applyScimRoles,
  readProviderRoles,
  readRoleNamesById,
  readScimRolesByPerson,
  replaceProviderRoles,
} from '../../platform/auth/provisioning/group-roles.ts';
import { isGuardedAccount } from '../../platform/auth/provisioning/guarded-roles.ts';
import { auditSourceOf, writeAsProvider } from '../../platform/auth/provisioning/write-as-provider.ts';
import { notifyOwner } from '../../platform/auth/sign-in/notify-owner.ts';
import { revokeSessionsOf } from '../../platform/auth/sign-in/sessions.ts';
import { administrators, provisioned, provisioningConflicts, scimGroupMembers, scimGroups } from '../../platform/auth/tables.ts';
import { recordAudit } from '../../platform/audit/audit.ts';
import { newId } from '../../platform/core/ids.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { nextVersionColumns } from '../../platform/records/versions.ts';
import type { ProvisioningContext } from '../../platform/services/context.ts';
import { revokeMailedLinks } from '../administrator-effects.ts';
import type { FilterCondition } from './filter.ts';
import type { UserResource } from './representation.ts';
import { createNotFound, createUniquenessError } from './scim-error.ts';
import { patchUser, readNewUser, replaceUser, type CheckedUser } from './user-attributes.ts';

type ProvisionedRow = typeof provisioned.$inferSelect;
type AdministratorRecord = typeof administrators.$inferSelect;
interface ManagedUser {
  row: ProvisionedRow;
  administrator: AdministratorRecord;
}

const entity = 'provisionedUser';
/** SCIM can't create a user whose email was deleted within this time. */
const deletedEmailMs = 90 * 86_400_000;

const managedUsers = (queries: Queries, where: SQL | undefined) =>
  queries
    .select({ row: provisioned, administrator: administrators })
    .from(provisioned)
    .innerJoin(administrators, eq(administrators.id, provisioned.administratorId))
    .where(and(isNull(provisioned.deletedAt), isNull(administrators.deletedAt), where));

const conditionOf = ({ attribute, value }: FilterCondition): SQL | undefined => {
  switch (attribute) {
    case 'id':
      return sql`${provisioned.administratorId}::text = ${String(value).toLowerCase()}`;
    case 'userName':
      return sql`lower(${provisioned.userName}) = lower(${value}::text)`;
    case 'externalId':
      return eq(provisioned.externalId, String(value));
    case 'email':
      return sql`lower(${provisioned.email}) = lower(${value}::text)`;
    case 'displayName':
      return sql`lower(${provisioned.displayName}) = lower(${value}::text)`;
    case 'active':
      return eq(provisioned.active, value === true);
  }
};

export interface Page {
  /** From 1. */
  startIndex: number;
  count: number;
}

export async function listUsers(
  queries: Queries,
  conditions: readonly FilterCondition[],
  { startIndex, count: limit }: Page,
): Promise<{ total: number; users: UserResource[] }> {
  const where = and(...conditions.map(conditionOf));
  const [counted] = await queries
    .select({ total: count() })
    .from(provisioned)
    .innerJoin(administrators, eq(administrators.id, provisioned.administratorId))
    .where(and(isNull(provisioned.deletedAt), isNull(administrators.deletedAt), where));
  const found =
    limit === 0
      ? []
      : await managedUsers(queries, where)
          .orderBy(asc(provisioned.createdAt), asc(provisioned.administratorId))
          .limit(limit)
          .offset(startIndex - 1);
  return { total: counted?.total ?? 0, users: await withGroups(queries, found) };
}

/** Throws NOT FOUND for an account that the provider doesn't manage. */
export async function readUser(queries: Queries, id: string): Promise<UserResource> {
  const [user] = await withGroups(queries, [await findManaged(queries, id)]);
  if (!user) throw createNotFound();
  return user;
}

async function findManaged(queries: Queries, id: string): Promise<ManagedUser> {
  if (!uuidPattern.test(id)) throw createNotFound();
  const [found] = await managedUsers(queries, eq(provisioned.administratorId, id));
  if (!found) throw createNotFound();
  return found;
}

export const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

async function withGroups(queries: Queries, users: readonly ManagedUser[]): Promise<UserResource[]> {
  const ids = users.map(({ row }) => row.administratorId);
  const memberships =
    ids.length === 0
      ? []
      : await queries
          .select({ administratorId: scimGroupMembers.administratorId, id: scimGroups.id, displayName: scimGroups.displayName })
          .from(scimGroupMembers)
          .innerJoin(scimGroups, eq(scimGroups.id, scimGroupMembers.groupId))
          .where(sql`${scimGroupMembers.administratorId} = any(${sql.param(ids)}::uuid[])`)
          .orderBy(asc(scimGroups.displayName));
  const groupsByUser = new Map<string, { id: string; displayName: string }[]>(ids.map((id) => [id, []]));
  for (const { administratorId, id, displayName } of memberships) groupsByUser.get(administratorId)?.push({ id, displayName });
  return users.map(({ row }) => ({ ...row, id: row.administratorId, groups: groupsByUser.get(row.administratorId) ?? [] }));
}

export async function createUser(context: ProvisioningContext, body: unknown): Promise<UserResource> {
  const user = readNewUser(body);
  const outcome = await writeAsProvider(context, async (tx, recordEntry) => {
    const conflict = await findConflict(tx, context, user);
    if (conflict) {
      await recordConflict(tx, context, user, conflict);
      return null;
    }
    const id = newId();
    const currentTime = new Date(context.services.now());
    await tx.insert(administrators).values({
      id,
      email: user.email,
      enabled: user.active,
      disabledBy: user.active ? null : 'idp',
      createdAt: currentTime,
      updatedAt: currentTime,
    });
    await tx.insert(provisioned).values({
      ...user,
      administratorId: id,
      deactivatedAt: null,
      createdAt: currentTime,
      updatedAt: currentTime,
    });
    await recordAccountChange(tx, context, [id], 'created');
    recordEntry({ entity, id, action: 'create', after: auditedUser(user) });
    return readUser(tx, id);
  });
  if (outcome === null) throw createUniquenessError('This user can’t be created, because an account has the same identifier.');
  return outcome;
}

interface Conflict {
  /** Null: turning on provisioning for an account can't resolve it. */
  administratorId: string | null;
  reason: ProvisioningConflictReason;
}

/** Never links by email. */
async function findConflict(tx: Tx, context: ProvisioningContext, user: CheckedUser): Promise<Conflict | null> {
  const known = await tx
    .select({ row: provisioned, deletedAt: administrators.deletedAt })
    .from(provisioned)
    .innerJoin(administrators, eq(administrators.id, provisioned.administratorId))
    .where(
      sql`lower(${provisioned.userName}) = lower(${user.userName}::text) or ${provisioned.externalId} = ${user.externalId}::text`,
    );
  const gone = known.find(({ row, deletedAt }) => deletedAt !== null || row.deletedAt !== null);
  if (gone) return { administratorId: gone.row.administratorId, reason: 'deleted' };
  if (known.length > 0) return { administratorId: null, reason: 'email' };
  const recently = new Date(context.services.now() - deletedEmailMs);
  const sameEmail = await tx
    .select({ id: administrators.id, deletedAt: administrators.deletedAt })
    .from(administrators)
    .where(
      and(
        eq(administrators.email, user.email),
        sql`(${administrators.deletedAt} is null or ${gt(administrators.deletedAt, recently)})`,
      ),
    );
  const live = sameEmail.find(({ deletedAt }) => deletedAt === null);
  if (live) return { administratorId: live.id, reason: 'email' };
  const [deleted] = sameEmail;
  if (deleted) return { administratorId: deleted.id, reason: 'deleted' };
  return (await isEmailTaken(tx, context, user.email, null)) ? { administratorId: null, reason: 'email' } : null;
}

/** Also of an account that was deleted recently, so that no one appears under the name of a colleague who left. */
async function isEmailTaken(tx: Tx, { services }: ProvisioningContext, email: string, ownId: string | null): Promise<boolean> {
  const recently = new Date(services.now() - deletedEmailMs);
  const others = await tx
    .select({ id: administrators.id, email: administrators.email })
    .from(administrators)
    .where(or(isNull(administrators.deletedAt), gt(administrators.deletedAt, recently)));
  return others.some((other) => other.id !== ownId && (other.email === email || isLookAlike(other.email, email)));
}

/** Shown on the screen. Commits although the request is refused. */
async function recordConflict(tx: Tx, context: ProvisioningContext, user: CheckedUser, conflict: Conflict): Promise<void> {
  const { administratorId, reason } = conflict;
  const lastAt = new Date(context.services.now());
  if (administratorId !== null) {
    const values = { reason, externalId: user.externalId, userName: user.userName, email: user.email, lastAt };
    await tx
      .insert(provisioningConflicts)
      .values({ id: newId(), administratorId, createdAt: lastAt, ...values })
      .onConflictDoUpdate({ target: provisioningConflicts.administratorId, set: values });
  }
  const entry = { entity, id: administratorId, action: 'create', after: { code: 'CONFLICT', who: [user.email] } };
  await recordAudit(tx, auditSourceOf(context), [entry], 'refused');
}

export const replaceUserById = (context: ProvisioningContext, id: string, body: unknown) =>
  changeUser(context, id, 'replace', (user) => replaceUser(user, body));

export const patchUserById = (context: ProvisioningContext, id: string, body: unknown) =>
  changeUser(context, id, 'patch', (user) => patchUser(user, body, id));

function changeUser(
  context: ProvisioningContext,
  id: string,
  action: string,
  applyBody: (user: CheckedUser) => CheckedUser,
): Promise<UserResource> {
  return writeAsProvider(context, async (tx, recordEntry) => {
    const managed = await findManaged(tx, id);
    const { administratorId } = managed.row;
    const before = attributesOf(managed.row);
    const after = applyBody(before);
    if (isSame(before, after)) return readUser(tx, administratorId);
    await assertUnique(tx, context, before, after, managed.administrator);
    const previousRoles = await readProviderRoleNames(tx, administratorId);
    await applyUser(tx, context, managed, after);
    const roles = await readProviderRoleNames(tx, administratorId);
    recordEntry({
      entity,
      id: administratorId,
      action,
      before: { ...auditedUser(before), roles: previousRoles },
      after: { ...auditedUser(after), roles },
    });
    return readUser(tx, administratorId);
  });
}

/** The same as deactivation. The account and its row stay. */
export function deleteUser(context: ProvisioningContext, id: string): Promise<void> {
  return writeAsProvider(context, async (tx, recordEntry) => {
    const managed = await findManaged(tx, id);
    const { administratorId } = managed.row;
    const before = attributesOf(managed.row);
    const roles = await readProviderRoleNames(tx, administratorId);
    await applyUser(tx, context, managed, { ...before, active: false });
    await tx
      .update(provisioned)
      .set({ deletedAt: new Date(context.services.now()) })
      .where(eq(provisioned.administratorId, administratorId));
    await tx.delete(scimGroupMembers).where(eq(scimGroupMembers.administratorId, administratorId));
    recordEntry({ entity, id: administratorId, action: 'delete', before: { ...auditedUser(before), roles } });
  });
}

async function applyUser(tx: Tx, context: ProvisioningContext, managed: ManagedUser, user: CheckedUser): Promise<void> {
  const { row, administrator } = managed;
  const id = row.administratorId;
  const currentTime = new Date(context.services.now());
  const previousRoles = await readScimRolesByPerson(tx, [id]);
  const isLeaving = row.active && !user.active;
  await tx
    .update(provisioned)
    .set({ ...user, updatedAt: currentTime, ...(isLeaving && { deactivatedAt: currentTime }) })
    .where(eq(provisioned.administratorId, id));
  if (isLeaving) await deactivate(tx, context, administrator);
  if (!row.active && user.active) await reactivate(tx, context, administrator);
  if (user.email !== administrator.email) await takeOverEmail(tx, context, administrator, user.email);
  if (isLeaving) await replaceProviderRoles(tx, id, []);
  else await applyScimRoles(tx, previousRoles);
}

/** Sessions, links and codes of the account stop working at the commit. */
async function deactivate(tx: Tx, context: ProvisioningContext, { id, enabled }: AdministratorRecord): Promise<void> {
  if (enabled)
    await tx
      .update(administrators)
      .set({ enabled: false, disabledBy: 'idp', ...nextVersionColumns(context, administrators) })
      .where(eq(administrators.id, id));
  await revokeSessionsOf(tx, context, [id]);
  await revokeMailedLinks(tx, [id]);
}

/** Enables only what the provider disabled. */
async function reactivate(
  tx: Tx,
  context: ProvisioningContext,
  { id, email, enabled, disabledBy }: AdministratorRecord,
): Promise<void> {
  if (enabled || disabledBy !== 'idp') return;
  await tx
    .update(administrators)
    .set({ enabled: true, disabledBy: null, ...nextVersionColumns(context, administrators) })
    .where(eq(administrators.id, id));
  await revokeSessionsOf(tx, context, [id]);
  await recordAccountChange(tx, context, [id], 'enabled');
  await notifyOwner(tx, context, email, 'enabledByProvider');
}

/** Not for a guarded account, whose email a person has to accept, and not while another account has the email. */
async function takeOverEmail(
  tx: Tx,
  context: ProvisioningContext,
  { id, email: previousEmail }: AdministratorRecord,
  email: string,
) {
  if ((await isGuardedAccount(tx, id)) || (await isEmailTaken(tx, context, email, id))) return;
  await tx
    .update(administrators)
    .set({ email, ...nextVersionColumns(context, administrators) })
    .where(eq(administrators.id, id));
  await revokeMailedLinks(tx, [id]);
  await recordAccountChange(tx, context, [id], 'email');
  for (const recipientEmail of [previousEmail, email]) await notifyOwner(tx, context, recipientEmail, 'emailChangedByProvider');
}

/** Only of what the request changes: a leaver is disabled whatever else is taken by now. */
async function assertUnique(
  tx: Tx,
  context: ProvisioningContext,
  before: CheckedUser,
  after: CheckedUser,
  { id, email }: AdministratorRecord,
): Promise<void> {
  const { userName, externalId } = after;
  const hasNewIdentifier = userName !== before.userName || externalId !== before.externalId;
  const others = and(
    sql`${provisioned.administratorId} <> ${id}`,
    sql`(lower(${provisioned.userName}) = lower(${userName}::text) or ${provisioned.externalId} = ${externalId}::text)`,
  );
  const hasNewEmail = after.email !== before.email && after.email !== email;
  if (
    (hasNewIdentifier && (await tx.$count(provisioned, others)) > 0) ||
    (hasNewEmail && (await isEmailTaken(tx, context, after.email, id)))
  )
    throw createUniquenessError('Another account has the same identifier or email.');
}

const readProviderRoleNames = async (tx: Tx, id: string) => readRoleNamesById(tx, await readProviderRoles(tx, id));

const attributesOf = (row: ProvisionedRow): CheckedUser => ({
  userName: row.userName,
  externalId: row.externalId,
  active: row.active,
  displayName: row.displayName,
  formattedName: row.formattedName,
  givenName: row.givenName,
  familyName: row.familyName,
  email: row.email,
});

const isSame = (before: CheckedUser, after: CheckedUser): boolean =>
  Object.entries(before).every(([key, value]) => Object.entries(after).some((entry) => entry[0] === key && entry[1] === value));

const auditedUser = ({ userName, externalId, active, displayName, email }: CheckedUser) => ({
  userName,
  externalId,
  active,
  displayName,
  email,
});
