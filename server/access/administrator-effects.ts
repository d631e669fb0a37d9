import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { GrantSource } from '../../api/access/identity-values.ts';
import { isLookAlike } from '../../api/look-alikes.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { getDatabaseErrorCode } from '../platform/core/error-code.ts';
import { createFieldError } from '../platform/core/errors.ts';
import { inviteMail, resetMail } from '../platform/auth/mail-texts.ts';
import { buildBilingualMail, type MailTexts } from '../platform/content/bilingual-mail.ts';
import { queueMail, canSendMail } from '../platform/content/mail.ts';
import { formatTime } from '../platform/core/wording.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import { createLinkInvitation } from '../platform/auth/sso/links.ts';
import { linkLifetimeMs, createPasswordLink } from '../platform/auth/sign-in/set-password.ts';
import {
  administratorRoles,
  administrators as table,
  enrollmentCodes,
  knownBrowsers,
  linkInvitations,
  mailCodes,
  passkeys,
  passwordLinks,
  recoveryCodes,
  roles,
} from '../platform/auth/tables.ts';
import { nextVersionColumns } from '../platform/records/versions.ts';

/** Throws BAD_REQUEST for an unknown role. */
export async function assertRolesExist(tx: Tx, roleIds: readonly string[]): Promise<void> {
  const uniqueRoleIds = [...new Set(roleIds)];
  const existingRoles = await tx.select({ id: roles.id }).from(roles).where(inArray(roles.id, uniqueRoleIds));
  if (existingRoles.length < uniqueRoleIds.length) throw createFieldError('roles');
}

/** Replaces the roles of one source and leaves those of the other. */
export async function replaceRoles(
  tx: Tx,
  administratorId: string,
  roleIds: readonly string[],
  givenBy: GrantSource = 'panel',
): Promise<void> {
  const isFromSource = and(eq(administratorRoles.administratorId, administratorId), eq(administratorRoles.givenBy, givenBy));
  await tx.delete(administratorRoles).where(isFromSource);
  if (roleIds.length > 0)
    await tx.insert(administratorRoles).values([...new Set(roleIds)].map((roleId) => ({ administratorId, roleId, givenBy })));
}

/** `roleIds` contains the provider's roles, which the panel doesn't take over. */
export async function replacePanelRoles(
  tx: Tx,
  administratorId: string,
  roleIds: readonly string[],
  providerRoleIds: readonly string[],
): Promise<void> {
  const ownRows = await tx
    .select({ roleId: administratorRoles.roleId })
    .from(administratorRoles)
    .where(and(eq(administratorRoles.administratorId, administratorId), eq(administratorRoles.givenBy, 'panel')));
  const panelRoleIds = new Set(ownRows.map(({ roleId }) => roleId));
  const keptRoleIds = roleIds.filter((id) => panelRoleIds.has(id) || !providerRoleIds.includes(id));
  await replaceRoles(tx, administratorId, keptRoleIds);
}

export async function setWallet(tx: Tx, context: RequestContext, id: string, walletAddress: string | null): Promise<void> {
  await tx
    .update(table)
    .set({ walletAddress, ...nextVersionColumns(context, table) })
    .where(eq(table.id, id))
    .catch((error: unknown) => {
      throw getDatabaseErrorCode(error) === '23505' ? createFieldError('address', 'taken') : error;
    });
  await revokeSessionsOf(tx, context, [id]);
}

/** Voids emailed links and codes, and enrollment codes. */
export async function revokeMailedLinks(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.delete(enrollmentCodes).where(inArray(enrollmentCodes.administratorId, [...ids]));
  await tx.delete(passwordLinks).where(inArray(passwordLinks.administratorId, [...ids]));
  await tx.delete(linkInvitations).where(inArray(linkInvitations.administratorId, [...ids]));
  await tx.delete(mailCodes).where(inArray(mailCodes.administratorId, [...ids]));
}

/** Also forgets browsers that are trusted without a code. */
export async function deleteFactors(tx: Tx, context: RequestContext, ids: readonly string[]): Promise<void> {
  await tx
    .update(table)
    .set({ totpSecret: null, totpLastStep: null, factorVouchedAt: null, ...nextVersionColumns(context, table) })
    .where(inArray(table.id, [...ids]));
  await tx.delete(passkeys).where(inArray(passkeys.administratorId, [...ids]));
  await tx.delete(recoveryCodes).where(inArray(recoveryCodes.administratorId, [...ids]));
  await tx.delete(knownBrowsers).where(inArray(knownBrowsers.administratorId, [...ids]));
  await tx.delete(enrollmentCodes).where(inArray(enrollmentCodes.administratorId, [...ids]));
}

/** Removes all credentials. The row stays for the audit. */
export async function removeAdministrators(tx: Tx, context: RequestContext, ids: readonly string[]): Promise<void> {
  await tx
    .update(table)
    .set({ deletedAt: new Date(context.services.now()), enabled: false, passwordHash: null, walletAddress: null })
    .where(inArray(table.id, [...ids]));
  await tx.delete(administratorRoles).where(inArray(administratorRoles.administratorId, [...ids]));
  await deleteFactors(tx, context, ids);
  await revokeMailedLinks(tx, ids);
  await revokeSessionsOf(tx, context, ids);
}

/** Replaces earlier links. Returns the expiry. */
export const mailPasswordLink = async (tx: Tx, context: RequestContext, owner: { id: string; email: string }): Promise<Date> =>
  mailLinkWithTexts(tx, context, owner, resetMail, await createPasswordLink(tx, context, owner.id));

/** Replaces earlier links. Returns the expiry. */
export const mailSsoLink = async (
  tx: Tx,
  context: RequestContext,
  owner: { id: string; email: string },
  texts: MailTexts,
): Promise<Date> => mailLinkWithTexts(tx, context, owner, texts, await createLinkInvitation(tx, context, owner.id));

/** Without a mail server the person signs in with the given password. */
export async function inviteByMail(tx: Tx, context: RequestContext, owner: { id: string; email: string }) {
  if (canSendMail(context.services))
    await mailLinkWithTexts(tx, context, owner, inviteMail, await createPasswordLink(tx, context, owner.id));
}

async function mailLinkWithTexts(
  tx: Tx,
  context: RequestContext,
  { email }: { email: string },
  texts: MailTexts,
  link: string,
): Promise<Date> {
  const currentTime = new Date(context.services.now());
  const expiresAt = new Date(currentTime.getTime() + linkLifetimeMs);
  const senderEmail = requirePerson(context).email;
  const mail = buildBilingualMail(texts, (language) => ({
    by: senderEmail,
    link,
    account: email,
    until: formatTime(expiresAt, language, context.services.config.timeZone),
  }));
  await queueMail(tx, currentTime, { to: email, ...mail });
  return expiresAt;
}

/** Throws BAD_REQUEST for an email that is confusable with another account's. */
export async function assertDistinctEmail(tx: Tx, email: string, id: string | null): Promise<void> {
  const otherAdministrators = await tx.select({ id: table.id, email: table.email }).from(table).where(isNull(table.deletedAt));
  if (
    otherAdministrators.some((otherAdministrator) => otherAdministrator.id !== id && isLookAlike(otherAdministrator.email, email))
  )
    throw createFieldError('email', 'lookAlike');
}

/** Turns a unique violation into an error of the field. */
export function throwEmailTaken(error: unknown): never {
  throw getDatabaseErrorCode(error) === '23505' ? createFieldError('email', 'taken') : error;
}

export const toIds = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
