import { eq } from 'drizzle-orm';
import { administrators } from '../tables.ts';
import { normalizeEmail } from '../sign-in/password.ts';
import { canSignIn } from '../sign-in/sign-in.ts';
import type { RequestContext } from '../../services/context.ts';
import { joinAccount } from './join-account.ts';
import { findLinkedAccount, type LinkedAccount } from './links.ts';
import { SsoError, type VerifiedIdentity } from './provider.ts';

/**
 * The one place that says which account a verified identity opens: by its link, never by email. Accounts that SCIM announced or
 * that groups create join here, after the link and before the refusal. Throws SsoError.
 */
export async function findAccountOfIdentity(context: RequestContext, identity: VerifiedIdentity): Promise<LinkedAccount> {
  const linked = (await findLinkedAccount(context.db, identity)) ?? (await joinAccount(context, identity));
  if (linked && !canSignIn(context, linked.administrator)) throw new SsoError('DISABLED', 'the account is disabled or deleted');
  if (linked) return linked;
  throw (await isEmailKnown(context, identity))
    ? new SsoError('EMAIL_TAKEN', 'an account with this email is not linked')
    : new SsoError('NOT_INVITED', 'no account is linked');
}

/** Also of a deleted account. An unverified email must not tell whether an account exists. */
const isEmailKnown = async ({ db }: RequestContext, { email, isEmailVerified }: VerifiedIdentity): Promise<boolean> =>
  email !== null && isEmailVerified && (await db.$count(administrators, eq(administrators.email, normalizeEmail(email)))) > 0;
