import { eq } from 'drizzle-orm';
import type { SsoAnswer, SsoLinked } from '../../api/access/session.ts';
import { recordAccountChange, recordChangeOfOwnAccount } from '../platform/auth/account-changes.ts';
import { assertAccessKept, hasAccessManager, lockAccessExclusively } from '../platform/auth/rights/escalation.ts';
import { requireStillSignedIn } from '../platform/auth/rights/still-allowed.ts';
import { notifyOwner } from '../platform/auth/sign-in/notify-owner.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import { signInOrChallenge, toSsoAt, toSsoAttempt } from '../platform/auth/sign-in/sign-in.ts';
import { toUnauthenticatedActor } from '../platform/auth/sign-in/wrong-guesses.ts';
import {
  consumeProposedLink,
  consumeStartedSignIn,
  readProposedLink,
  storeProposedLink,
  type SsoIntent,
} from '../platform/auth/sso/challenges.ts';
import { requireSso } from '../platform/auth/sso/configured.ts';
import { findAccountOfIdentity } from '../platform/auth/sso/find-account.ts';
import { applyClaimRoles } from '../platform/auth/sso/join-account.ts';
import {
  consumeInvitation,
  createLink,
  findLinkedAccount,
  readInvitation,
  type LinkedAccount,
} from '../platform/auth/sso/links.ts';
import { SsoError, toSsoAppError, verifyAnswer, type VerifiedIdentity } from '../platform/auth/sso/provider.ts';
import { requireFreshProof } from '../platform/auth/step-up.ts';
import { administrators, identityLinks, sessions } from '../platform/auth/tables.ts';
import { recordFailure } from '../platform/auth/sso/start.ts';
import { recordAudit, recordRefusal } from '../platform/audit/audit.ts';
import { createAppError, toCatalogCode } from '../platform/core/errors.ts';
import { countNetworkAttempt, uncountSsoStart } from '../platform/http/rate-limit.ts';
import type { Person, RequestContext } from '../platform/services/context.ts';

/** `query`: what the provider returned with. Throws SSO_FAILED, and ATTEMPT_GONE for an answer that this browser did not ask for. */
export async function answerSso(context: RequestContext, query: string): Promise<SsoAnswer> {
  requireSso(context.services);
  const attempt = await countNetworkAttempt(context.services, context.ip);
  const parameters = new URLSearchParams(query);
  const started = await consumeStartedSignIn(context, parameters.get('state') ?? '');
  if (!started) {
    await recordRefusal(context, 'ATTEMPT_GONE');
    throw createAppError('ATTEMPT_GONE');
  }
  let identity: VerifiedIdentity | null = null;
  try {
    if (new Set(parameters.keys()).size < parameters.size) throw new SsoError('BAD_ANSWER', 'a parameter came twice');
    const { intent } = started;
    identity = await verifyAnswer(context.services, parameters, { ...started, isRenewed: intent.kind === 'prove' });
    const answer = await answerVerified(context, identity, started);
    await attempt.succeed(context.db);
    await uncountSsoStart(context.db, context.ip);
    return answer;
  } catch (error) {
    throw await recordAnyFailure(context, error, identity);
  }
}

/** Returns what the browser gets. */
async function recordAnyFailure(context: RequestContext, error: unknown, identity: VerifiedIdentity | null): Promise<unknown> {
  if (error instanceof SsoError) {
    await recordFailure(context, error, identity);
    return toSsoAppError(error, requireSso(context.services));
  }
  await recordRefusal(context, toCatalogCode(error), identity ? { subject: identity.subject } : undefined);
  return error;
}

/** `startedAt` in milliseconds. */
interface Started {
  intent: SsoIntent;
  startedAt: number;
}

async function answerVerified(context: RequestContext, identity: VerifiedIdentity, started: Started): Promise<SsoAnswer> {
  const { intent, startedAt } = started;
  if (intent.kind === 'prove') return proveAgain(context, identity, intent);
  if (intent.kind === 'link') return proposeLink(context, identity, started, (await requireStarter(context, intent)).email);
  if (intent.invitation !== null) {
    const { account } = await readInvitation(context.db, context, intent.invitation);
    return proposeLink(context, identity, started, account.email);
  }
  return signInLinked(context, { ...identity, startedAt }, await findAccountOfIdentity(context, identity));
}

async function signInLinked(
  context: RequestContext,
  identity: VerifiedIdentity & { startedAt: number },
  { administrator, link }: LinkedAccount,
) {
  const groups = await applyClaimRoles(context, administrator.id, identity);
  return signInOrChallenge(context, toSsoAttempt(context, administrator, link, { ...identity, groups }), async (tx) => {
    const lastUsedAt = new Date(context.services.now());
    await tx.update(identityLinks).set({ lastUsedAt, email: identity.email }).where(eq(identityLinks.id, link.id));
  });
}

async function proposeLink(
  context: RequestContext,
  identity: VerifiedIdentity,
  { intent, startedAt }: Started,
  email: string,
): Promise<SsoAnswer> {
  const { name } = requireSso(context.services);
  const ticket = await storeProposedLink(context, { identity, intent, startedAt });
  return {
    step: 'link',
    ticket,
    provider: { name, email: identity.email, displayName: identity.displayName },
    account: { email },
  };
}

/** The person of the session that started it. Throws ATTEMPT_GONE. */
async function requireStarter(
  context: RequestContext,
  { administratorId, sessionId }: { administratorId: string; sessionId: string },
): Promise<Person> {
  const actor = await context.session();
  if (actor?.kind !== 'person' || actor.id !== administratorId || actor.sessionId !== sessionId)
    throw createAppError('ATTEMPT_GONE');
  return actor;
}

async function proveAgain(
  context: RequestContext,
  identity: VerifiedIdentity,
  intent: SsoIntent & { kind: 'prove' },
): Promise<SsoAnswer> {
  const actor = await requireStarter(context, intent);
  const linked = await findLinkedAccount(context.db, identity);
  if (linked?.administrator.id !== actor.id) throw new SsoError('OTHER_PERSON', 'another person signed in at the provider');
  await context.db.transaction(async (tx) => {
    await requireStillSignedIn(tx, actor);
    await tx
      .update(sessions)
      .set({ ssoAt: toSsoAt(context, identity) })
      .where(eq(sessions.id, actor.sessionId));
    await recordAudit(tx, { ...context, actor }, [{ entity: 'session', id: actor.sessionId, action: 'proveSso' }]);
  });
  return { step: 'proven' };
}

/** Once. Throws ATTEMPT_GONE, LINK_GONE, FACTOR_STALE and SSO_FAILED. */
export async function confirmSsoLink(context: RequestContext, ticket: string): Promise<SsoLinked> {
  requireSso(context.services);
  const proposed = await readProposedLink(context, ticket);
  if (!proposed || proposed.intent.kind === 'prove') throw createAppError('ATTEMPT_GONE');
  const { identity, intent, startedAt } = proposed;
  try {
    return intent.kind === 'link'
      ? await linkOwnAccount(context, ticket, identity, intent)
      : await linkInvitedAccount(context, ticket, { ...identity, startedAt }, intent.invitation ?? '');
  } catch (error) {
    throw await recordAnyFailure(context, error, identity);
  }
}

async function linkOwnAccount(
  context: RequestContext,
  ticket: string,
  identity: VerifiedIdentity,
  intent: SsoIntent & { kind: 'link' },
): Promise<SsoLinked> {
  const actor = await requireStarter(context, intent);
  const personContext = { ...context, actor };
  await requireFreshProof(personContext);
  await context.db.transaction(async (tx) => {
    // Of the last two access managers, only one may lose the own way in.
    await lockAccessExclusively(tx);
    await requireStillSignedIn(tx, actor);
    if (!(await consumeProposedLink(tx, context, ticket))) throw createAppError('ATTEMPT_GONE');
    await lockAccount(tx, actor.id);
    const hadManager = await hasAccessManager(tx, context.services);
    await createLink(tx, personContext, identity, {
      administratorId: actor.id,
      origin: 'self',
      linkedBy: actor.id,
      account: actor.email,
    });
    await revokeSessionsOf(tx, personContext, [actor.id], { keep: actor.sessionId });
    await recordChangeOfOwnAccount(tx, personContext, actor.id, 'linked');
    await notifyOwner(tx, personContext, actor.email, 'ssoLinked');
    // A linked person needs a colleague's code for a first second factor, and SSO_REQUIRED ends other ways in.
    if (hadManager) await assertAccessKept(tx, context);
  });
  return { step: 'linked' };
}

async function linkInvitedAccount(
  context: RequestContext,
  ticket: string,
  identity: VerifiedIdentity & { startedAt: number },
  invitation: string,
): Promise<SsoLinked> {
  const linked = await context.db.transaction(async (tx): Promise<LinkedAccount> => {
    await lockAccessExclusively(tx); // no one is disabled until commit
    if (!(await consumeProposedLink(tx, context, ticket))) throw createAppError('ATTEMPT_GONE');
    const { account, inviter } = await readInvitation(tx, context, invitation);
    await consumeInvitation(tx, context, invitation);
    await lockAccount(tx, account.id);
    const hadManager = await hasAccessManager(tx, context.services);
    const ownerContext = { ...context, actor: toUnauthenticatedActor(account) };
    const link = await createLink(tx, ownerContext, identity, {
      administratorId: account.id,
      origin: 'invitation',
      linkedBy: inviter.id,
      account: account.email,
    });
    await revokeSessionsOf(tx, context, [account.id]);
    // The account cools from the link on, not from the email, and never counts together with the colleague.
    await recordAccountChange(tx, { ...context, actor: toUnauthenticatedActor(inviter) }, [account.id], 'linked');
    await notifyOwner(tx, ownerContext, account.email, 'ssoLinked');
    if (hadManager) await assertAccessKept(tx, context);
    return { administrator: account, link };
  });
  return signInLinked(context, identity, linked);
}

const lockAccount = (tx: Parameters<typeof createLink>[0], id: string) =>
  tx.select({ id: administrators.id }).from(administrators).where(eq(administrators.id, id)).for('no key update');
