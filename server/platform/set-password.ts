import { and, eq, isNull } from 'drizzle-orm';
import { administrators, mailCodes, passwordLinks } from '../tables.ts';
import type { RequestContext } from './context.ts';
import { fingerprint, newSecret } from './cookies.ts';
import type { Tx } from './db.ts';
import { badField } from './errors.ts';
import { hasFactor } from './factors.ts';
import { newId } from './ids.ts';
import { forgetOtherBrowsers } from './known-browsers.ts';
import { queueMail } from './mail.ts';
import { hashPassword, passwordProblem } from './password.ts';
import { endSessionsOf } from './sessions.ts';

interface Owner {
  id: string;
  email: string;
}

/** Hashes a new password for somebody. Throws BAD_REQUEST with the rule it breaks: 15 characters, 8 with a second factor. */
export async function newPasswordHash(context: RequestContext, { id, email }: Owner, password: string): Promise<string> {
  const problem = passwordProblem(password, email, await hasFactor(context.db, id));
  if (problem) throw badField('password', problem);
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
  await tx.update(administrators).set({ passwordHash, passwordChangedAt: at, updatedAt: at }).where(eq(administrators.id, id));
  await endSessionsOf(tx, context, [id], { keep });
  await forgetOtherBrowsers(tx, context, id);
  await tx
    .update(passwordLinks)
    .set({ usedAt: at })
    .where(and(eq(passwordLinks.administratorId, id), isNull(passwordLinks.usedAt)));
  await tx
    .update(mailCodes)
    .set({ usedAt: at })
    .where(and(eq(mailCodes.administratorId, id), isNull(mailCodes.usedAt)));
  await tell(tx, context, email, { zh: '您的密码已修改', en: 'Your password was changed' });
}

/** A mail about one's own account, so that whoever did not do it hears of it. */
export function tell(tx: Tx, context: RequestContext, email: string, { zh, en }: { zh: string; en: string }): Promise<void> {
  const at = new Date(context.services.now());
  const { publicUrl } = context.services.config;
  return queueMail(tx, at, {
    to: email,
    subject: `${zh} ${en}`,
    body: [
      `${zh}（${at.toISOString()}，${context.ip}）。如果这不是您本人的操作，请立即告知管理员。`,
      '',
      `${en} (${at.toISOString()}, ${context.ip}). If this was not you, tell an administrator at once.`,
      '',
      publicUrl,
    ].join('\n'),
  });
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
