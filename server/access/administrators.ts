import { and, eq, isNull } from 'drizzle-orm';
import {
  assertDistinctEmail,
  assertRolesExist,
  throwEmailTaken,
  deleteFactors,
  replacePanelRoles,
  replaceRoles,
  toIds,
  inviteByMail,
  mailPasswordLink,
  mailSsoLink,
  removeAdministrators,
  setWallet,
  revokeMailedLinks,
} from './administrator-effects.ts';
import {
  auditedFields,
  administratorConditions,
  presentAdministrators,
  readRights,
  readRoleChoices,
  readSessions,
} from './administrator-rows.ts';
import { readAccountIdentity, readProviderDetails } from './account-identity.ts';
import {
  changeAdministrator,
  administratorEntity,
  presentAdministrator,
  setEnabled,
  lockAdministrators,
  lockAdministrator,
} from './administrator-writes.ts';
import type { EnrollmentCode } from '../../api/access/administrators.ts';
import { createManagedError } from '../platform/auth/provisioning/managed.ts';
import { acceptProviderEmail, letProviderManage, stopProviderManaging } from './managed-administrators.ts';
import { requireActor } from '../platform/services/context.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import { recordAccountChange } from '../platform/auth/account-changes.ts';
import { assertAccessKept, lockAccessChanges } from '../platform/auth/rights/escalation.ts';
import { assertMayGrantRoles } from '../platform/auth/rights/role-granting.ts';
import { readGrantedIdentifiers } from '../platform/auth/rights/permissions.ts';
import { anyAddress, readInactiveRoles, unknownAddress } from '../platform/auth/rights/role-networks.ts';
import { buildViewedAccess } from '../platform/auth/view-as.ts';
import { newId } from '../platform/core/ids.ts';
import { readMoneyHolders } from '../platform/auth/rights/money-rights.ts';
import { guardedApi } from '../platform/http/router.ts';
import { createListHandlers } from '../platform/records/list-handlers.ts';
import { requireMail } from '../platform/content/mail.ts';
import { hashPassword, normalizeEmail, findPasswordProblem } from '../platform/auth/sign-in/password.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import { notifyOwner } from '../platform/auth/sign-in/notify-owner.ts';
import { createEnrollmentCode } from '../platform/auth/sign-in/enrollment-codes.ts';
import { linkLifetimeMs } from '../platform/auth/sign-in/set-password.ts';
import { parseTaprootAddress } from '../../chain/taproot-address.ts';
import { asUnmodified, writeOnce } from '../platform/records/write.ts';
import { removeLinks } from '../platform/auth/sso/links.ts';
import { requireSso } from '../platform/auth/sso/configured.ts';
import { ssoInviteMail, ssoLinkMail } from '../platform/auth/mail-texts.ts';
import { administrators as table } from '../platform/auth/tables.ts';
import { nextVersionColumns } from '../platform/records/versions.ts';

const listHandlersOf = createListHandlers({
  table,
  sorts: { createdAt: table.createdAt, email: table.email },
  filter: administratorConditions,
  present: (context, rows) => presentAdministrators(context.db, requireActor(context), rows),
  only: isNull(table.deletedAt),
});

export const administrators = {
  list: guardedApi.administrators.list.handler(listHandlersOf.list),

  values: guardedApi.administrators.values.handler(listHandlersOf.values),

  many: guardedApi.administrators.many.handler(listHandlersOf.many),

  details: guardedApi.administrators.details.handler(async ({ input: { id }, context }) => {
    const [account] = await context.db
      .select()
      .from(table)
      .where(and(eq(table.id, id), isNull(table.deletedAt)));
    if (!account) throw createAppError('NOT_FOUND');
    const [row] = await presentAdministrators(context.db, requireActor(context), [account]);
    if (!row) throw createAppError('NOT_FOUND');
    return {
      row,
      identity: await readAccountIdentity(context, account),
      provider: await readProviderDetails(context.db, id),
      rights: await readRights(context.db, id),
      sessions: await readSessions(context, id),
    };
  }),

  roles: guardedApi.administrators.roles.handler(({ context }) => readRoleChoices(context)),

  viewAs: guardedApi.administrators.viewAs.handler(async ({ input: { id }, context: { db } }) => {
    const administratorCount = await db.$count(table, and(eq(table.id, id), isNull(table.deletedAt)));
    if (administratorCount === 0) throw createAppError('NOT_FOUND');
    return {
      ...(await buildViewedAccess(db, await readGrantedIdentifiers(db, id, anyAddress))),
      networkRoles: await readInactiveRoles(db, id, unknownAddress),
    };
  }),

  add: guardedApi.administrators.add.handler(async ({ input, context }) => {
    const { password, roles: roleIds, description } = input;
    const email = normalizeEmail(input.email);
    const passwordIssue = findPasswordProblem(password, email);
    if (passwordIssue) throw createFieldError('password', passwordIssue);
    const passwordHash = await hashPassword(password); // before the lock, because hashing is slow
    // Not even a hash of the request's password is stored with the idempotency key.
    return writeOnce(context, { ...input, password: '' }, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      await assertRolesExist(tx, roleIds);
      await assertMayGrantRoles(tx, actor, roleIds);
      const currentTime = new Date(context.services.now());
      const id = newId();
      // The given password works once, to choose one's own, like a mailed link.
      const passwordExpiresAt = new Date(currentTime.getTime() + linkLifetimeMs);
      await assertDistinctEmail(tx, email, null);
      const values = { id, email, passwordHash, passwordExpiresAt, description, createdAt: currentTime, updatedAt: currentTime };
      await tx.insert(table).values(values).catch(throwEmailTaken);
      await replaceRoles(tx, id, roleIds);
      await inviteByMail(tx, context, { id, email });
      await recordAccountChange(tx, context, [id], 'created');
      const row = await presentAdministrator(tx, actor, id);
      recordAudit({ entity: administratorEntity, id, after: auditedFields(row) });
      return row;
    });
  }),

  invite: guardedApi.administrators.invite.handler(({ input, context }) => {
    requireSso(context.services);
    requireMail(context.services);
    return writeOnce(context, input, async (tx, recordAudit) => {
      const actor = await lockAccessChanges(tx, context);
      await assertRolesExist(tx, input.roles);
      await assertMayGrantRoles(tx, actor, input.roles);
      const currentTime = new Date(context.services.now());
      const [id, email] = [newId(), normalizeEmail(input.email)];
      await assertDistinctEmail(tx, email, null);
      const values = { id, email, description: input.description, createdAt: currentTime, updatedAt: currentTime };
      await tx.insert(table).values(values).catch(throwEmailTaken);
      await replaceRoles(tx, id, input.roles);
      await mailSsoLink(tx, context, { id, email }, ssoInviteMail);
      await recordAccountChange(tx, context, [id], 'created');
      const row = await presentAdministrator(tx, actor, id);
      recordAudit({ entity: administratorEntity, id, after: auditedFields(row) });
      return row;
    });
  }),

  sendSsoLink: guardedApi.administrators.sendSsoLink.handler(({ input, context }) => {
    requireSso(context.services);
    requireMail(context.services);
    return writeOnce(context, input, async (tx, recordAudit) => {
      const { before } = await lockAdministrator(tx, context, input);
      if (!before.enabled) throw createAppError('INCOMPLETE', { fields: ['enabled'] });
      const expiresAt = await mailSsoLink(tx, context, before, ssoLinkMail);
      await recordAccountChange(tx, context, [input.id], 'linked');
      recordAudit({
        entity: administratorEntity,
        id: input.id,
        after: { email: before.email, expiresAt: expiresAt.toISOString() },
      });
      return { expiresAt: expiresAt.toISOString() };
    });
  }),

  unlinkSso: guardedApi.administrators.unlinkSso.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { actor, before } = await lockAdministrator(tx, context, input);
      const removedLinks = await removeLinks(tx, recordAudit, { id: input.id, email: before.email });
      if (removedLinks.length === 0) return asUnmodified(before);
      await tx.update(table).set(nextVersionColumns(context, table)).where(eq(table.id, input.id));
      await revokeMailedLinks(tx, [input.id]);
      await revokeSessionsOf(tx, context, [input.id]);
      await notifyOwner(tx, context, before.email, 'ssoUnlinkedByColleague');
      await recordAccountChange(tx, context, [input.id], 'linked');
      await assertAccessKept(tx, context);
      return presentAdministrator(tx, actor, input.id);
    }),
  ),

  edit: guardedApi.administrators.edit.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { roles: roleIds, description } = input;
      const email = normalizeEmail(input.email);
      const { actor, before } = await lockAdministrator(tx, context, input);
      const holders = await readMoneyHolders(tx);
      const providerRoles = before.roles.filter(({ givenBy }) => givenBy === 'idp');
      if ((before.managed && email !== before.email) || providerRoles.some(({ id }) => !roleIds.includes(id)))
        throw createManagedError(context.services.config);
      await assertRolesExist(tx, roleIds);
      await assertMayGrantRoles(tx, actor, roleIds);
      if (email !== before.email) await assertDistinctEmail(tx, email, input.id);
      await tx
        .update(table)
        .set({ email, description, ...nextVersionColumns(context, table) })
        .where(eq(table.id, input.id))
        .catch(throwEmailTaken);
      await replacePanelRoles(tx, input.id, roleIds, toIds(providerRoles));
      // Links mailed to the old address must stop working.
      if (email !== before.email) {
        await revokeMailedLinks(tx, [input.id]);
        for (const recipientEmail of [before.email, email])
          await notifyOwner(tx, context, recipientEmail, 'emailChangedByColleague');
        await recordAccountChange(tx, context, [input.id], 'email', holders);
      }
      const hasOtherRoles = !hasSameRoles(roleIds, toIds(before.roles));
      if (hasOtherRoles) await recordAccountChange(tx, context, [input.id], 'roles', holders);
      if (email !== before.email || hasOtherRoles) await revokeSessionsOf(tx, context, [input.id]);
      const row = await presentAdministrator(tx, actor, input.id);
      recordAudit({ entity: administratorEntity, id: row.id, before: auditedFields(before), after: auditedFields(row) });
      await assertAccessKept(tx, context);
      return row;
    }),
  ),

  letIdpManage: guardedApi.administrators.letIdpManage.handler(({ input, context }) => letProviderManage(context, input.items)),

  stopIdpManaging: guardedApi.administrators.stopIdpManaging.handler(({ input, context }) =>
    stopProviderManaging(context, input.items),
  ),

  acceptIdpEmail: guardedApi.administrators.acceptIdpEmail.handler(({ input, context }) => acceptProviderEmail(context, input)),

  enable: guardedApi.administrators.enable.handler(({ input, context }) => setEnabled(context, input.items, true)),

  disable: guardedApi.administrators.disable.handler(({ input, context }) => setEnabled(context, input.items, false)),

  resetPassword: guardedApi.administrators.resetPassword.handler(({ input, context }) => {
    requireMail(context.services);
    return writeOnce(context, input, async (tx, recordAudit) => {
      const { before } = await lockAdministrator(tx, context, input);
      if (!before.enabled) throw createAppError('INCOMPLETE', { fields: ['enabled'] });
      // The provider may have chosen the address, and the link would do nothing (session.usePasswordLink).
      if (before.managed) throw createManagedError(context.services.config);
      const expiresAt = await mailPasswordLink(tx, context, before);
      await recordAccountChange(tx, context, [input.id], 'password');
      recordAudit({
        entity: administratorEntity,
        id: input.id,
        after: { email: before.email, expiresAt: expiresAt.toISOString() },
      });
      return { expiresAt: expiresAt.toISOString() };
    });
  }),

  resetFactor: guardedApi.administrators.resetFactor.handler(({ input, context }) =>
    changeAdministrator(context, input, async (tx, { factor, email }) => {
      if (factor === 'none') return false;
      await deleteFactors(tx, context, [input.id]);
      await revokeSessionsOf(tx, context, [input.id]);
      await notifyOwner(tx, context, email, 'factorResetByColleague');
      await recordAccountChange(tx, context, [input.id], 'factor');
      return true;
    }),
  ),

  giveEnrollmentCode: guardedApi.administrators.giveEnrollmentCode.handler(async ({ input, context }) => {
    let given: EnrollmentCode | null = null;
    await writeOnce(context, input, async (tx, recordAudit) => {
      const { before } = await lockAdministrator(tx, context, input);
      if (!before.enabled) throw createAppError('INCOMPLETE', { fields: ['enabled'] });
      if (before.factorGap === null) throw createAppError('INCOMPLETE', { fields: ['factorGap'] });
      const { code, expiresAt } = await createEnrollmentCode(tx, context, input.id);
      await notifyOwner(tx, context, before.email, 'enrollmentCodeGiven');
      given = { code, expiresAt: expiresAt.toISOString() };
      recordAudit({
        entity: administratorEntity,
        id: input.id,
        after: { email: before.email, codeExpiresAt: expiresAt.toISOString() },
      });
      return {};
    });
    // The answer of an earlier request with this key is gone.
    if (given === null) throw createAppError('CONFLICT');
    return given;
  }),

  bindWallet: guardedApi.administrators.bindWallet.handler(({ input, context }) => {
    const address = parseTaprootAddress(input.address, context.services.config.bitcoinNetwork);
    if (address === null) throw createFieldError('address', 'taproot');
    return changeAdministrator(context, input, async (tx, { walletAddress, email }) => {
      if (walletAddress === address) return false;
      await setWallet(tx, context, input.id, address);
      await notifyOwner(tx, context, email, 'walletLinkedByColleague');
      await recordAccountChange(tx, context, [input.id], 'wallet');
      return true;
    });
  }),

  unbindWallet: guardedApi.administrators.unbindWallet.handler(({ input, context }) =>
    changeAdministrator(context, input, async (tx, { walletAddress, email }) => {
      if (walletAddress === null) return false;
      await setWallet(tx, context, input.id, null);
      await notifyOwner(tx, context, email, 'walletUnlinkedByColleague');
      await recordAccountChange(tx, context, [input.id], 'wallet');
      return true;
    }),
  ),

  endSessions: guardedApi.administrators.endSessions.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { actor, rows, before, failed } = await lockAdministrators(tx, context, input.items);
      await revokeSessionsOf(tx, context, toIds(rows));
      for (const row of before) recordAudit({ entity: administratorEntity, id: row.id, after: { email: row.email } });
      return { done: await presentAdministrators(tx, actor, rows), failed };
    }),
  ),

  remove: guardedApi.administrators.remove.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { rows, before, failed } = await lockAdministrators(tx, context, input.items);
      const ids = toIds(rows);
      await removeAdministrators(tx, context, ids);
      for (const row of before) recordAudit({ entity: administratorEntity, id: row.id, before: auditedFields(row) });
      await assertAccessKept(tx, context);
      return { done: ids.map((id) => ({ id })), failed };
    }),
  ),
};

const hasSameRoles = (left: readonly string[], right: readonly string[]) =>
  new Set([...left, ...right]).size === new Set(left).size && new Set(left).size === new Set(right).size;
