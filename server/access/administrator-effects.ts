import { eq, inArray, isNull } from 'drizzle-orm';
import { isLookAlike } from '../../api/look-alikes.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { codeOf } from '../platform/core/error-code.ts';
import { badField } from '../platform/core/errors.ts';
import { inviteMail, resetMail } from '../platform/auth/mail-texts.ts';
import { bilingualMail, type MailTexts } from '../platform/content/bilingual-mail.ts';
import { queueMail, sendsMail } from '../platform/content/mail.ts';
import { formatTime } from '../platform/core/wording.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import { linkMs, newPasswordLink } from '../platform/auth/sign-in/set-password.ts';
import {
  administratorRoles,
  administrators as table,
  knownBrowsers,
  mailCodes,
  passkeys,
  passwordLinks,
  recoveryCodes,
  roles,
} from '../platform/auth/tables.ts';
import { nextVersion } from '../platform/records/versions.ts';

/** Throws BAD_REQUEST for an unknown role. */
export async function assertRolesExist(tx: Tx, roleIds: readonly string[]): Promise<void> {
  const uniqueRoleIds = [...new Set(roleIds)];
  const there = await tx.select({ id: roles.id }).from(roles).where(inArray(roles.id, uniqueRoleIds));
  if (there.length < uniqueRoleIds.length) throw badField('roles');
}

export async function grantRoles(tx: Tx, administratorId: string, roleIds: readonly string[]): Promise<void> {
  await tx.delete(administratorRoles).where(eq(administratorRoles.administratorId, administratorId));
  await tx.insert(administratorRoles).values([...new Set(roleIds)].map((roleId) => ({ administratorId, roleId })));
}

export async function setWallet(tx: Tx, context: RequestContext, id: string, walletAddress: string | null): Promise<void> {
  await tx
    .update(table)
    .set({ walletAddress, ...nextVersion(context, table) })
    .where(eq(table.id, id))
    .catch((error: unknown) => {
      throw codeOf(error) === '23505' ? badField('address', 'taken') : error;
    });
  await revokeSessionsOf(tx, context, [id]);
}

/** Voids mailed links and codes. */
export async function revokeMailedLinks(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.delete(passwordLinks).where(inArray(passwordLinks.administratorId, [...ids]));
  await tx.delete(mailCodes).where(inArray(mailCodes.administratorId, [...ids]));
}

/** Also forgets browsers that are trusted without a code. */
export async function forgetFactors(tx: Tx, context: RequestContext, ids: readonly string[]): Promise<void> {
  await tx
    .update(table)
    .set({ totpSecret: null, totpLastStep: null, ...nextVersion(context, table) })
    .where(inArray(table.id, [...ids]));
  await tx.delete(passkeys).where(inArray(passkeys.administratorId, [...ids]));
  await tx.delete(recoveryCodes).where(inArray(recoveryCodes.administratorId, [...ids]));
  await tx.delete(knownBrowsers).where(inArray(knownBrowsers.administratorId, [...ids]));
}

/** Removes all credentials. The row stays for the audit. */
export async function removeAdministrators(tx: Tx, context: RequestContext, ids: readonly string[]): Promise<void> {
  await tx
    .update(table)
    .set({ deletedAt: new Date(context.services.now()), enabled: false, passwordHash: null, walletAddress: null })
    .where(inArray(table.id, [...ids]));
  await tx.delete(administratorRoles).where(inArray(administratorRoles.administratorId, [...ids]));
  await forgetFactors(tx, context, ids);
  await revokeMailedLinks(tx, ids);
  await revokeSessionsOf(tx, context, ids);
}

/** Replaces earlier links. Returns the expiry. */
export const mailLink = (tx: Tx, context: RequestContext, owner: { id: string; email: string }): Promise<Date> =>
  mailLinkAs(tx, context, owner, resetMail);

/** Without a mail server the person signs in with the given password. */
export async function inviteByMail(tx: Tx, context: RequestContext, owner: { id: string; email: string }) {
  if (sendsMail(context.services)) await mailLinkAs(tx, context, owner, inviteMail);
}

async function mailLinkAs(
  tx: Tx,
  context: RequestContext,
  { id, email }: { id: string; email: string },
  texts: MailTexts,
): Promise<Date> {
  const at = new Date(context.services.now());
  const until = new Date(at.getTime() + linkMs);
  const link = await newPasswordLink(tx, context, id);
  const by = requirePerson(context).email;
  const mail = bilingualMail(texts, (language) => ({
    by,
    link,
    account: email,
    until: formatTime(until, language, context.services.config.timeZone),
  }));
  await queueMail(tx, at, { to: email, ...mail });
  return until;
}

/** Throws BAD_REQUEST for an email that is confusable with another account's. */
export async function assertDistinctEmail(tx: Tx, email: string, id: string | null): Promise<void> {
  const others = await tx.select({ id: table.id, email: table.email }).from(table).where(isNull(table.deletedAt));
  if (others.some((other) => other.id !== id && isLookAlike(other.email, email))) throw badField('email', 'lookAlike');
}

/** Turns a unique violation into an error of the field. */
export function emailTaken(error: unknown): never {
  throw codeOf(error) === '23505' ? badField('email', 'taken') : error;
}

export const toIds = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
