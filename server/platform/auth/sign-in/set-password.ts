import { and, eq, isNull } from 'drizzle-orm';
import { noteOwnChange } from '../account-changes.ts';
import { administrators, mailCodes, passwordLinks } from '../tables.ts';
import type { RequestContext } from '../../core/context.ts';
import { fingerprint, newSecret } from '../../http/cookies.ts';
import type { Tx } from '../../db/db.ts';
import { badField } from '../../core/errors.ts';
import { hasFactor } from './factors.ts';
import { newId } from '../../core/ids.ts';
import { forgetOtherBrowsers } from './known-browsers.ts';
import { notifyOwner } from './notify-owner.ts';
import { hashPassword, isPassword, passwordProblem } from './password.ts';
import { endSessionsOf } from './sessions.ts';

interface Owner {
  id: string;
  email: string;
}

/**
 * Hashes a new password for somebody. Throws BAD_REQUEST with the rule it breaks: 15 characters, 8 with a second factor,
 * and not the one that stands: what a colleague chose must not stay.
 */
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

/**
 * Sets a password: every other session of theirs ends, browsers elsewhere are new again, links and codes sent before are
 * worth nothing, and a mail says so. `keep` is the session that goes on.
 */
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
  await endSessionsOf(tx, context, [id], { keep });
  await noteOwnChange(tx, context, id, 'password');
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

/** How long a mailed link is good for. */
export const linkMs = 24 * 3_600_000;

/** A one-time link to set a password with, for an invitation or a reset; those made before are worth nothing. Send it by mail. */
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
