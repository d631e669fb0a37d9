import { createHash } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import {
  maySignIn,
  signInOrChallenge,
  readSignInAttempt,
  toSignInAttempt,
  continueSignIn,
  readAccess,
} from '../platform/auth/sign-in/sign-in.ts';
import { recordAudit, recordRefusal } from '../platform/audit/audit.ts';
import { checkCode, codeWait, queueCode, sendCode } from '../platform/auth/sign-in/codes.ts';
import { actorOf, requirePerson, type RequestContext } from '../platform/services/context.ts';
import { fingerprint } from '../platform/http/cookies.ts';
import { appError } from '../platform/core/errors.ts';
import { withConstantDuration } from '../platform/core/constant-time.ts';
import { factorMethodsOf, consumeFactor } from '../platform/auth/sign-in/factors.ts';
import { guardedApi } from '../platform/http/router.ts';
import { knownBrowser } from '../platform/auth/sign-in/known-browsers.ts';
import { requireMail, requireMailServer } from '../platform/content/mail.ts';
import { passkeyRequestOptions } from '../platform/auth/sign-in/passkeys.ts';
import { isPassword, normalEmail } from '../platform/auth/sign-in/password.ts';
import { revokeSession } from '../platform/auth/sign-in/sessions.ts';
import { newPasswordHash, setPassword } from '../platform/auth/sign-in/set-password.ts';
import { unauthenticatedActor, recordingRefusal, notifyingOwner } from '../platform/auth/sign-in/wrong-guesses.ts';
import {
  countAttempt,
  consumeSignInAttempt,
  releaseRateLimit,
  consumeFromWindow,
  consumeNetworkLimit,
  consumeRateLimit,
} from '../platform/http/rate-limit.ts';
import { administrators, passwordLinks } from '../platform/auth/tables.ts';

export const session = {
  signIn: guardedApi.session.signIn.handler(async ({ input, context }) => {
    const email = normalEmail(input.email);
    const administrator = await findAdministrator(context, email);
    const browser = administrator && (await knownBrowser(context.db, context, administrator.id));
    const attempt = await consumeSignInAttempt(context.services, email, context.ip, browser);
    // Wrong password, unknown and disabled account take the same path.
    const matches = await isPassword(administrator?.passwordHash ?? null, input.password, browser === null ? 'unknown' : 'known');
    if (!administrator || !maySignIn(context, administrator) || isPasswordExpired(context, administrator) || !matches) {
      await recordRefusal({ ...context, actor: administrator ? unauthenticatedActor(administrator) : null }, 'SIGN_IN_FAILED');
      throw appError('SIGN_IN_FAILED');
    }
    return signInOrChallenge(context, toSignInAttempt(administrator, 'password'), (tx) => attempt.succeed(tx));
  }),

  sendCode: guardedApi.session.sendCode.handler(async ({ context }) => {
    requireMail(context.services);
    const { administratorId: id, email } = await readSignInAttempt(context);
    return sendCode(context, { id, email }, 'newBrowser');
  }),

  giveCode: guardedApi.session.giveCode.handler(async ({ input, context }) => {
    const here = await readSignInAttempt(context);
    const attempt = await countAttempt(context.services, `code ${here.administratorId}`, context.ip);
    const use = await checkCode(context, here.administratorId, 'newBrowser', input.code).catch(
      recordingRefusal(context, ownerOf(here)),
    );
    return continueSignIn(context, { ...here, code: true }, async (tx) => {
      await use(tx);
      await attempt.succeed(tx);
    });
  }),

  passkey: guardedApi.session.passkey.handler(async ({ context }) => {
    const { administratorId, browser } = await readSignInAttempt(context);
    return { options: await passkeyRequestOptions(context, administratorId, browser) };
  }),

  giveFactor: guardedApi.session.giveFactor.handler(async ({ input, context }) => {
    const here = await readSignInAttempt(context);
    // The code comes first, otherwise the factor would be used up for nothing.
    const isKnown =
      here.code || !context.services.config.newBrowserCode || (await knownBrowser(context.db, context, here.administratorId));
    if (!isKnown || (await factorMethodsOf(context.db, here.administratorId)).length === 0) throw appError('ATTEMPT_GONE');
    await consumeFactor(context, here.administratorId, input, here.browser)
      .catch(notifyingOwner(context, ownerOf(here), 'factor'))
      .catch(recordingRefusal(context, ownerOf(here)));
    return continueSignIn(context, { ...here, factor: true });
  }),

  // Must not reveal whether the account exists: time is padded, and the mail server is asked for every address.
  forgot: guardedApi.session.forgot.handler(async ({ input, context }) => {
    requireMail(context.services);
    const email = normalEmail(input.email);
    const { administrator, counted } = await withConstantDuration(async () => {
      await consumeNetworkLimit(context.services, context.ip);
      const found = await findAdministrator(context, email);
      const key = await rateLimitKey(context, email, found);
      await consumeRateLimit(context.services, `forgot ${key}`, codeWait * 1000);
      return { administrator: found, counted: key };
    });
    await requireMailServer(context.services).catch(async (error: unknown) => {
      await releaseRateLimit(context.services, `forgot ${counted}`);
      throw error;
    });
    return withConstantDuration(async () => {
      // Counted after the mail server answers, so that an outage does not use up the limit.
      if (counted === unknownBrowserKey(email))
        await consumeFromWindow(context.services, `forgot today ${counted}`, maxForgotten, dayMs);
      if (administrator && maySignIn(context, administrator))
        await context.db.transaction((tx) => queueCode(tx, context, administrator, 'resetPassword'));
      return { wait: codeWait };
    });
  }),

  resetPassword: guardedApi.session.resetPassword.handler(({ input, context }) =>
    withConstantDuration(async () => {
      const email = normalEmail(input.email);
      const administrator = await findAdministrator(context, email);
      const counted = `reset ${await rateLimitKey(context, email, administrator)}`;
      const attempt = await countAttempt(context.services, counted, context.ip);
      if (!administrator || !maySignIn(context, administrator)) {
        await recordRefusal({ ...context, actor: null }, 'CODE_WRONG');
        throw appError('CODE_WRONG');
      }
      const use = await checkCode(context, administrator.id, 'resetPassword', input.code).catch(
        recordingRefusal(context, administrator),
      );
      const hash = await newPasswordHash(context, administrator, input.password);
      await context.db.transaction(async (tx) => {
        await use(tx);
        await attempt.succeed(tx);
        await setPassword(tx, context, administrator, hash);
        const actor = unauthenticatedActor(administrator);
        await recordAudit(tx, { ...context, actor }, [{ entity: 'administrator', id: actor.id, action: 'resetPassword' }]);
      });
      return {};
    }),
  ),

  usePasswordLink: guardedApi.session.usePasswordLink.handler(async ({ input, context }) => {
    await consumeNetworkLimit(context.services, context.ip);
    const at = new Date(context.services.now());
    const live = and(
      eq(passwordLinks.tokenHash, fingerprint(input.token)),
      isNull(passwordLinks.usedAt),
      gt(passwordLinks.expiresAt, at),
    );
    const [found] = await context.db
      .select({ owner: administrators })
      .from(passwordLinks)
      .innerJoin(administrators, eq(administrators.id, passwordLinks.administratorId))
      .where(live);
    if (!found || !maySignIn(context, found.owner)) throw appError('LINK_GONE');
    const { owner } = found;
    const hash = await newPasswordHash(context, owner, input.password);
    await context.db.transaction(async (tx) => {
      const used = await tx.update(passwordLinks).set({ usedAt: at }).where(live).returning({ id: passwordLinks.id });
      if (used.length === 0) throw appError('LINK_GONE');
      await setPassword(tx, context, owner, hash);
      await recordAudit(tx, { ...context, actor: unauthenticatedActor(owner) }, [{ entity: 'administrator', id: owner.id }]);
    });
    return { email: owner.email };
  }),

  signOut: guardedApi.session.signOut.handler(async ({ context }) => {
    const { sessionId } = requirePerson(context);
    await context.db.transaction(async (tx) => {
      await revokeSession(tx, context, sessionId);
      await recordAudit(tx, context, [{ entity: 'session', id: sessionId }]);
    });
    return {};
  }),

  current: guardedApi.session.current.handler(({ context }) => readAccess(context.db, context.services, actorOf(context))),
};

type Administrator = typeof administrators.$inferSelect;

async function findAdministrator(context: RequestContext, email: string): Promise<Administrator | null> {
  // PostgreSQL cannot store these characters.
  const cleanEmail = /[\uD800-\uDFFF\0]/u.test(email) ? '' : email;
  const [found] = await context.db
    .select()
    .from(administrators)
    .where(and(eq(administrators.email, cleanEmail), isNull(administrators.deletedAt)));
  return found ?? null;
}

/** A password chosen by a colleague works for a day. */
const isPasswordExpired = ({ services }: RequestContext, { passwordExpiresAt }: Administrator) =>
  passwordExpiresAt !== null && passwordExpiresAt.getTime() <= services.now();

/** A known browser has its own count, so that strangers cannot lock the account out. */
async function rateLimitKey(context: RequestContext, email: string, administrator: Administrator | null): Promise<string> {
  const browser = administrator && (await knownBrowser(context.db, context, administrator.id));
  return browser === null ? unknownBrowserKey(email) : `browser ${browser}`;
}

const unknownBrowserKey = (email: string) => createHash('sha256').update(email).digest('hex');

/** Codes per mailbox and day from unknown browsers, with or without an account. */
const maxForgotten = 20;

const dayMs = 86_400_000;

const ownerOf = ({ administratorId, email }: { administratorId: string; email: string }) => ({ id: administratorId, email });
