import { eq } from 'drizzle-orm';
import { identityLinks, linkInvitations } from '../tables.ts';
import { linkLifetimeMs } from '../sign-in/set-password.ts';
import { newId } from '../../core/ids.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { createSecret, hashSecret } from '../../http/cookies.ts';
import { requirePerson, type RequestContext } from '../../services/context.ts';

export type IdentityLink = typeof identityLinks.$inferSelect;

/** Voids earlier ones. Returns the address to mail. */
export async function createLinkInvitation(tx: Tx, context: RequestContext, administratorId: string): Promise<string> {
  const { config, now } = context.services;
  const token = createSecret();
  const nowMs = now();
  await tx.delete(linkInvitations).where(eq(linkInvitations.administratorId, administratorId));
  await tx.insert(linkInvitations).values({
    id: newId(),
    administratorId,
    tokenHash: hashSecret(token),
    invitedBy: requirePerson(context).id,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + linkLifetimeMs),
  });
  return `${config.publicUrl}/login#link-sso=${token}`;
}

/** Returns what was removed. The sessions stay. */
export const removeLinks = (queries: Queries, administratorId: string): Promise<IdentityLink[]> =>
  queries.delete(identityLinks).where(eq(identityLinks.administratorId, administratorId)).returning();

export const auditedLink = ({ issuer, subject, email, origin }: IdentityLink, account: string) => ({
  account,
  issuer,
  subject,
  email,
  origin,
});
