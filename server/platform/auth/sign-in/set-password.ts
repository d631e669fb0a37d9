import { and, eq, isNull } from 'drizzle-orm';
import { recordChangeOfOwnAccount } from '../account-changes.ts';
import { administrators, mailCodes, passwordLinks } from '../tables.ts';
import type { RequestContext } from '../../services/context.ts';
import { hashSecret, createSecret } from '../../http/cookies.ts';
import type { Tx } from '../../db/db.ts';
import { createFieldError } from '../../core/errors.ts';
import { hasFactor } from './factors.ts';
import { newId } from '../../core/ids.ts';
import { forgetOtherBrowsers } from './known-browsers.ts';
import { notifyOwner } from './notify-owner.ts';
import { hashPassword, isPassword, findPasswordProblem } from './password.ts';
import { revokeSessionsOf } from './sessions.ts';

interface Owner {
  id: string;
  email: string;
}

/** 15 characters, 8 with a second factor, not the current one. Throws BAD_REQUEST. */
export async function hashNewPassword(
  context: RequestContext,
  { id, email, passwordHash }: Owner & { passwordHash: string | null },
  password: string,
): Promise<string> {
  const passwordProblem = findPasswordProblem(password, email, await hasFactor(context.db, id));
  if (passwordProblem) throw createFieldError('password', passwordProblem);
  if (await isPassword(passwordHash, password)) throw createFieldError('password');
  return hashPassword(password);
}

/** Ends other sessions, forgets other browsers, voids links and codes, mails the owner. */
export async function setPassword(
  tx: Tx,
  context: RequestContext,
  { id, email }: Owner,
  passwordHash: string,
  keptSessionId: string | null = null,
): Promise<void> {
  const currentTime = new Date(context.services.now());
  await tx
    .update(administrators)
    .set({ passwordHash, passwordChangedAt: currentTime, passwordExpiresAt: null, updatedAt: currentTime })
    .where(eq(administrators.id, id));
  await revokeSessionsOf(tx, context, [id], { keep: keptSessionId });
  await recordChangeOfOwnAccount(tx, context, id, 'password');
  await forgetOtherBrowsers(tx, context, id);
  await tx
    .update(passwordLinks)
    .set({ usedAt: currentTime })
    .where(and(eq(passwordLinks.administratorId, id), isNull(passwordLinks.usedAt)));
  await tx
    .update(mailCodes)
    .set({ usedAt: currentTime })
    .where(and(eq(mailCodes.administratorId, id), isNull(mailCodes.usedAt)));
  await notifyOwner(tx, context, email, 'passwordChanged');
}

export const linkLifetimeMs = 24 * 3_600_000;

/** Voids earlier links. */
export async function createPasswordLink(tx: Tx, context: RequestContext, administratorId: string): Promise<string> {
  const { config, now } = context.services;
  const token = createSecret();
  const nowMs = now();
  await tx.delete(passwordLinks).where(eq(passwordLinks.administratorId, administratorId));
  await tx.insert(passwordLinks).values({
    id: newId(),
    administratorId,
    tokenHash: hashSecret(token),
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + linkLifetimeMs),
  });
  return `${config.publicUrl}/login#set-password=${token}`;
}
