import { and, eq } from 'drizzle-orm';
import { administrators, identityLinks } from '../tables.ts';
import { normalizeEmail } from '../sign-in/password.ts';
import { canSignIn } from '../sign-in/sign-in.ts';
import type { RequestContext } from '../../services/context.ts';
import { joinAccount } from './join-account.ts';
import type { IdentityLink } from './links.ts';
import { SsoError, type VerifiedIdentity } from './provider.ts';

export interface LinkedAccount {
  administrator: typeof administrators.$inferSelect;
  link: IdentityLink;
}

/**
 * The one place that says which account a verified identity opens: by its link, never by email. Accounts that SCIM announced or
 * that groups create join here, after the link and before the refusal. Throws SsoError.
 */
export async function findAccountOfIdentity(context: RequestContext, identity: VerifiedIdentity): Promise<LinkedAccount> {
  const linked = await findLinkedAccount(context, identity);
  if (linked && !canSignIn(context, linked.administrator)) throw new SsoError('DISABLED', 'the account is disabled or deleted');
  if (linked) return linked;
  const joined = await joinAccount(context, identity);
  if (joined) return joined;
  throw (await isEmailKnown(context, identity))
    ? new SsoError('EMAIL_TAKEN', 'an account with this email is not linked')
    : new SsoError('NOT_INVITED', 'no account is linked');
}

/** Null if no account is linked. */
export async function findLinkedAccount(
  { db }: RequestContext,
  { issuer, subject }: VerifiedIdentity,
): Promise<LinkedAccount | null> {
  const [row] = await db
    .select({ administrator: administrators, link: identityLinks })
    .from(identityLinks)
    .innerJoin(administrators, eq(administrators.id, identityLinks.administratorId))
    .where(and(eq(identityLinks.issuer, issuer), eq(identityLinks.subject, subject)));
  return row ?? null;
}

/** Also of a deleted account. An unverified email must not tell whether an account exists. */
const isEmailKnown = async ({ db }: RequestContext, { email, isEmailVerified }: VerifiedIdentity): Promise<boolean> =>
  email !== null && isEmailVerified && (await db.$count(administrators, eq(administrators.email, normalizeEmail(email)))) > 0;
