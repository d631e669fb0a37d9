import { createHash } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import {
  canSignIn,
  signInOrChallenge,
  readSignInAttempt,
  toSignInAttempt,
  continueSignIn,
  readAccess,
} from '../platform/auth/sign-in/sign-in.ts';
import { recordAudit, recordRefusal } from '../platform/audit/audit.ts';
import { checkCode, codeWaitSeconds, queueCode, sendCode } from '../platform/auth/sign-in/codes.ts';
import { requireActor, requirePerson, type RequestContext } from '../platform/services/context.ts';
import { hashSecret } from '../platform/http/cookies.ts';
import { createAppError } from '../platform/core/errors.ts';
import type { Queries, Tx } from '../platform/db/db.ts';
import { lockAccessShared } from '../platform/auth/rights/escalation.ts';
import { withConstantDuration } from '../platform/core/constant-time.ts';
import { readFactorMethods, consumeFactor } from '../platform/auth/sign-in/factors.ts';
import { guardedApi } from '../platform/http/router.ts';
import { isKnownBrowser } from '../platform/auth/sign-in/known-browsers.ts';
import { requireMail, requireMailServer } from '../platform/content/mail.ts';
import { createPasskeyRequestOptions } from '../platform/auth/sign-in/passkeys.ts';
import { isPassword, normalizeEmail } from '../platform/auth/sign-in/password.ts';
import { revokeSession } from '../platform/auth/sign-in/sessions.ts';
import { hashNewPassword, setPassword } from '../platform/auth/sign-in/set-password.ts';
import { toUnauthenticatedActor, recordRefusalOf, notifyOwnerOnFailure } from '../platform/auth/sign-in/wrong-guesses.ts';
import {
  countAttempt,
  consumeSignInAttempt,
  releaseRateLimit,
  consumeFromWindow,
  consumeNetworkLimit,
  consumeRateLimit,
} from '../platform/http/rate-limit.ts';
import { readManagedIds } from '../platform/auth/provisioning/guarded-roles.ts';
import { requireSso } from '../platform/auth/sso/configured.ts';
import { hasLink, mustUseProvider, readInvitation } from '../platform/auth/sso/links.ts';
import { buildProviderSignOut, readSealedIdToken } from '../platform/auth/sso/sign-out.ts';
import { startSso } from '../platform/auth/sso/start.ts';
import { answerSso, confirmSsoLink } from './single-sign-on.ts';
import { administrators, passwordLinks } from '../platform/auth/tables.ts';

export const session = {
  signIn: guardedApi.session.signIn.handler(async ({ input, context }) => {
    const email = normalizeEmail(input.email);
    const administrator = await findAdministrator(context, email);
    const knownBrowserId = administrator && (await isKnownBrowser(context.db, context, administrator.id));
    const attempt = await consumeSignInAttempt(context.services, email, context.ip, knownBrowserId);
    // Wrong password, unknown and disabled account take the same path.
    const passwordMatch = await isPassword(
      administrator?.passwordHash ?? null,
      input.password,
      knownBrowserId === null ? 'unknown' : 'known',
    );
    if (!administrator || !passwordMatch || !(await mayUsePassword(context, administrator))) {
      await recordRefusal({ ...context, actor: administrator ? toUnauthenticatedActor(administrator) : null }, 'SIGN_IN_FAILED');
      throw createAppError('SIGN_IN_FAILED');
    }
    return signInOrChallenge(context, toSignInAttempt(administrator, 'password'), (tx) => attempt.succeed(tx));
  }),

  sendCode: guardedApi.session.sendCode.handler(async ({ context }) => {
    requireMail(context.services);
    const { administratorId: id, email } = await readSignInAttempt(context);
    return sendCode(context, { id, email }, 'newBrowser');
  }),

  giveCode: guardedApi.session.giveCode.handler(async ({ input, context }) => {
    const signInAttempt = await readSignInAttempt(context);
    const attempt = await countAttempt(context.services, `code ${signInAttempt.administratorId}`, context.ip);
    const markCodeUsed = await checkCode(context, signInAttempt.administratorId, 'newBrowser', input.code).catch(
      recordRefusalOf(context, toOwner(signInAttempt)),
    );
    return continueSignIn(context, { ...signInAttempt, code: true }, async (tx) => {
      await markCodeUsed(tx);
      await attempt.succeed(tx);
    });
  }),

  passkey: guardedApi.session.passkey.handler(async ({ context }) => {
    const { administratorId, browser } = await readSignInAttempt(context);
    return { options: await createPasskeyRequestOptions(context, administratorId, browser) };
  }),

  giveFactor: guardedApi.session.giveFactor.handler(async ({ input, context }) => {
    const signInAttempt = await readSignInAttempt(context);
    // The code comes first, otherwise the factor would be used up for nothing.
    const isKnown =
      signInAttempt.method === 'sso' ||
      signInAttempt.code ||
      !context.services.config.newBrowserCode ||
      (await isKnownBrowser(context.db, context, signInAttempt.administratorId));
    if (!isKnown || (await readFactorMethods(context.db, signInAttempt.administratorId)).length === 0)
      throw createAppError('ATTEMPT_GONE');
    await consumeFactor(context, signInAttempt.administratorId, input, signInAttempt.browser)
      .catch(notifyOwnerOnFailure(context, toOwner(signInAttempt), 'factor'))
      .catch(recordRefusalOf(context, toOwner(signInAttempt)));
    return continueSignIn(context, { ...signInAttempt, factor: true });
  }),

  // Must not reveal whether the account exists: time is padded, and the mail server is asked for every address.
  forgot: guardedApi.session.forgot.handler(async ({ input, context }) => {
    requireMail(context.services);
    const email = normalizeEmail(input.email);
    const { administrator, counted } = await withConstantDuration(async () => {
      await consumeNetworkLimit(context.services, context.ip);
      const administrator = await findAdministrator(context, email);
      const key = await rateLimitKey(context, email, administrator);
      await consumeRateLimit(context.services, `forgot ${key}`, codeWaitSeconds * 1000);
      return { administrator, counted: key };
    });
    await requireMailServer(context.services).catch(async (error: unknown) => {
      await releaseRateLimit(context.services, `forgot ${counted}`);
      throw error;
    });
    return withConstantDuration(async () => {
      // Counted after the mail server answers, so that an outage does not use up the limit.
      if (counted === unknownBrowserKey(email))
        await consumeFromWindow(context.services, `forgot today ${counted}`, maxResetRequests, dayMs);
      if (administrator && (await mayResetPassword(context, administrator)))
        await context.db.transaction((tx) => queueCode(tx, context, administrator, 'resetPassword'));
      return { wait: codeWaitSeconds };
    });
  }),

  resetPassword: guardedApi.session.resetPassword.handler(({ input, context }) =>
    withConstantDuration(async () => {
      const email = normalizeEmail(input.email);
      const administrator = await findAdministrator(context, email);
      const limitKey = `reset ${await rateLimitKey(context, email, administrator)}`;
      const attempt = await countAttempt(context.services, limitKey, context.ip);
      if (!administrator || !(await mayResetPassword(context, administrator))) {
        await recordRefusal({ ...context, actor: null }, 'CODE_WRONG');
        throw createAppError('CODE_WRONG');
      }
      const markCodeUsed = await checkCode(context, administrator.id, 'resetPassword', input.code).catch(
        recordRefusalOf(context, administrator),
      );
      const hash = await hashNewPassword(context, administrator, input.password);
      await context.db.transaction(async (tx) => {
        if (!(await mayStillGetPassword(tx, context, administrator.id))) throw createAppError('CODE_WRONG');
        await markCodeUsed(tx);
        await attempt.succeed(tx);
        await setPassword(tx, context, administrator, hash);
        const actor = toUnauthenticatedActor(administrator);
        await recordAudit(tx, { ...context, actor }, [{ entity: 'administrator', id: actor.id, action: 'resetPassword' }]);
      });
      return {};
    }),
  ),

  usePasswordLink: guardedApi.session.usePasswordLink.handler(async ({ input, context }) => {
    await consumeNetworkLimit(context.services, context.ip);
    const currentTime = new Date(context.services.now());
    const isUsableLink = and(
      eq(passwordLinks.tokenHash, hashSecret(input.token)),
      isNull(passwordLinks.usedAt),
      gt(passwordLinks.expiresAt, currentTime),
    );
    const [administratorRow] = await context.db
      .select({ owner: administrators })
      .from(passwordLinks)
      .innerJoin(administrators, eq(administrators.id, passwordLinks.administratorId))
      .where(isUsableLink);
    if (!administratorRow || !(await mayGetPassword(context, administratorRow.owner))) throw createAppError('LINK_GONE');
    const { owner } = administratorRow;
    const hash = await hashNewPassword(context, owner, input.password);
    await context.db.transaction(async (tx) => {
      if (!(await mayStillGetPassword(tx, context, owner.id))) throw createAppError('LINK_GONE');
      const usedLinks = await tx
        .update(passwordLinks)
        .set({ usedAt: currentTime })
        .where(isUsableLink)
        .returning({ id: passwordLinks.id });
      if (usedLinks.length === 0) throw createAppError('LINK_GONE');
      await setPassword(tx, context, owner, hash);
      await recordAudit(tx, { ...context, actor: toUnauthenticatedActor(owner) }, [{ entity: 'administrator', id: owner.id }]);
    });
    return { email: owner.email };
  }),

  startSso: guardedApi.session.startSso.handler(async ({ input, context }) => {
    const sso = requireSso(context.services);
    if (input.issuer !== undefined && input.issuer !== sso.issuer)
      throw createAppError('SSO_FAILED', { reason: 'BAD_ANSWER', name: sso.name });
    const invitation = input.invitation ?? null;
    if (invitation !== null) await readInvitation(context.db, context, invitation);
    return startSso(context, { kind: 'signIn', invitation }, input.loginHint);
  }),

  answerSso: guardedApi.session.answerSso.handler(({ input, context }) => answerSso(context, input.query)),

  confirmSsoLink: guardedApi.session.confirmSsoLink.handler(({ input, context }) => confirmSsoLink(context, input.ticket)),

  signOut: guardedApi.session.signOut.handler(async ({ context }) => {
    const { sessionId } = requirePerson(context);
    const sealedIdToken = await readSealedIdToken(context, sessionId);
    await context.db.transaction(async (tx) => {
      await revokeSession(tx, context, sessionId);
      await recordAudit(tx, context, [{ entity: 'session', id: sessionId }]);
    });
    const providerUrl = sealedIdToken && (await buildProviderSignOut(context, sealedIdToken));
    return providerUrl === null ? {} : { providerUrl };
  }),

  current: guardedApi.session.current.handler(({ context }) => readAccess(context.db, context.services, requireActor(context))),
};

type Administrator = typeof administrators.$inferSelect;

async function findAdministrator(context: RequestContext, email: string): Promise<Administrator | null> {
  // PostgreSQL cannot store these characters.
  const searchableEmail = /[\uD800-\uDFFF\0]/u.test(email) ? '' : email;
  const [administratorRow] = await context.db
    .select()
    .from(administrators)
    .where(and(eq(administrators.email, searchableEmail), isNull(administrators.deletedAt)));
  return administratorRow ?? null;
}

const mayUsePassword = async (context: RequestContext, administrator: Administrator) =>
  canSignIn(context, administrator) &&
  !isPasswordExpired(context, administrator) &&
  !(await mustUseProvider(context.db, context, administrator.id));

/** By a code, which a person without a password can't ask for. */
const mayResetPassword = async (context: RequestContext, administrator: Administrator) =>
  administrator.passwordHash !== null && (await mayGetPassword(context, administrator));

/**
 * A linked account gets no password by email, because the operator of the provider may run the mail server too. Neither does one
 * whose email the provider can change.
 */
const mayGetPassword = async (context: RequestContext, administrator: Administrator, queries: Queries = context.db) =>
  canSignIn(context, administrator) &&
  !(await hasLink(queries, context, administrator.id)) &&
  (await readManagedIds(queries, [administrator.id])).size === 0;

/** No one links or disables the account until commit. */
async function mayStillGetPassword(tx: Tx, context: RequestContext, id: string): Promise<boolean> {
  await lockAccessShared(tx);
  const [administrator] = await tx.select().from(administrators).where(eq(administrators.id, id));
  return administrator !== undefined && (await mayGetPassword(context, administrator, tx));
}

/** A password chosen by a colleague works for a day. */
const isPasswordExpired = ({ services }: RequestContext, { passwordExpiresAt }: Administrator) =>
  passwordExpiresAt !== null && passwordExpiresAt.getTime() <= services.now();

/** A known browser has its own count, so that strangers cannot lock the account out. */
async function rateLimitKey(context: RequestContext, email: string, administrator: Administrator | null): Promise<string> {
  const knownBrowserId = administrator && (await isKnownBrowser(context.db, context, administrator.id));
  return knownBrowserId === null ? unknownBrowserKey(email) : `browser ${knownBrowserId}`;
}

const unknownBrowserKey = (email: string) => createHash('sha256').update(email).digest('hex');

/** Codes per mailbox and day from unknown browsers, with or without an account. */
const maxResetRequests = 20;

const dayMs = 86_400_000;

const toOwner = ({ administratorId, email }: { administratorId: string; email: string }) => ({ id: administratorId, email });
