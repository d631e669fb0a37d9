import { and, eq, isNull } from 'drizzle-orm';
import { recordOwnChange } from '../account-changes.ts';
import { administrators, mailCodes, passwordLinks } from '../tables.ts';
import type { RequestContext } from '../../services/context.ts';
import { fingerprint, newSecret } from '../../http/cookies.ts';
import type { Tx } from '../../db/db.ts';
import { badField } from '../../core/errors.ts';
import { hasFactor } from './factors.ts';
import { newId } from '../../core/ids.ts';
import { forgetOtherBrowsers } from './known-browsers.ts';
import { notifyOwner } from './notify-owner.ts';
import { hashPassword, isPassword, passwordProblem } from './password.ts';
import { revokeSessionsOf } from './sessions.ts';

interface Owner {
  id: string;
  email: string;
}

/** 15 characters, 8 with a second factor, not the current one. Throws BAD_REQUEST. */
export async function newPasswordHash(
  context: RequestContext,
  { id, email, passwordHash }: Owner & { passwordHash: string | null },
  password: string,
): Promise<string> {
  const problem = passwordProblem(password, email, await hasFactor(context.db, id));
  if (problem) throw badField('password', problem);
  if (await isPassword(passwordHash, password)) throw badField('password');
  return hashPassword(password);
}

/** Ends other sessions, forgets other browsers, voids links and codes, mails the owner. */
export async function setPassword(
  tx: Tx,
  context: RequestContext,
  { id, email }: Owner,
  passwordHash: string,
  keep: string | null = null,
): Promise<void> {
  const at = new Date(context.services.now());
  await tx
    .update(administrators)
    .set({ passwordHash, passwordChangedAt: at, passwordExpiresAt: null, updatedAt: at })
    .where(eq(administrators.id, id));
  await revokeSessionsOf(tx, context, [id], { keep });
  await recordOwnChange(tx, context, id, 'password');
  await forgetOtherBrowsers(tx, context, id);
  await tx
    .update(passwordLinks)
    .set({ usedAt: at })
    .where(and(eq(passwordLinks.administratorId, id), isNull(passwordLinks.usedAt)));
  await tx
    .update(mailCodes)
    .set({ usedAt: at })
    .where(and(eq(mailCodes.administratorId, id), isNull(mailCodes.usedAt)));
  await notifyOwner(tx, context, email, 'passwordChanged');
}

export const linkMs = 24 * 3_600_000;

/** Voids earlier links. */
export async function newPasswordLink(tx: Tx, context: RequestContext, administratorId: string): Promise<string> {
  const { config, now } = context.services;
  const token = newSecret();
  const at = now();
  await tx.delete(passwordLinks).where(eq(passwordLinks.administratorId, administratorId));
  await tx.insert(passwordLinks).values({
    id: newId(),
    administratorId,
    tokenHash: fingerprint(token),
    createdAt: new Date(at),
    expiresAt: new Date(at + linkMs),
  });
  return `${config.publicUrl}/login#set-password=${token}`;
}
