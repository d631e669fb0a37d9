import { createHash } from 'node:crypto';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { admit, attemptHere, attemptOf, goOn, wholeAccessOf } from '../platform/auth/sign-in/sign-in.ts';
import { recordAudit, recordRefusal } from '../platform/audit/audit.ts';
import { checkCode, codeWait, queueCode, sendCode } from '../platform/auth/sign-in/codes.ts';
import { actorOf, type RequestContext } from '../platform/services/context.ts';
import { fingerprint } from '../platform/http/cookies.ts';
import { failure } from '../platform/core/errors.ts';
import { evenly } from '../platform/core/constant-time.ts';
import { factorMethods, takeFactor } from '../platform/auth/sign-in/factors.ts';
import { on } from '../platform/http/router.ts';
import { knownBrowser } from '../platform/auth/sign-in/known-browsers.ts';
import { requireMail, requireMailServer } from '../platform/content/mail.ts';
import { passkeyQuestion } from '../platform/auth/sign-in/passkeys.ts';
import { isPassword, normalEmail } from '../platform/auth/sign-in/password.ts';
import { endSession } from '../platform/auth/sign-in/sessions.ts';
import { newPasswordHash, setPassword } from '../platform/auth/sign-in/set-password.ts';
import { nobodyYet, refused, toldOf } from '../platform/auth/sign-in/wrong-guesses.ts';
import {
  countAttempt,
  takeAttempt,
  giveTurnBack,
  takeFromWindow,
  takeNetworkTurn,
  takeTurn,
} from '../platform/http/rate-limit.ts';
import { administrators, passwordLinks } from '../platform/auth/tables.ts';

export const session = {
  signIn: on.session.signIn.handler(async ({ input, context }) => {
    const email = normalEmail(input.email);
    const administrator = await findAdministrator(context, email);
    const browser = administrator && (await knownBrowser(context.db, context, administrator.id));
    const attempt = await takeAttempt(context.services, email, context.ip, browser);
    // Wrong password, unknown and disabled account take the same path.
    const matches = await isPassword(
      administrator?.passwordHash ?? null,
      input.password,
      browser === null ? 'strangers' : 'known',
    );
    if (!administrator || !mayEnter(context, administrator) || isOver(context, administrator) || !matches) {
      await recordRefusal({ ...context, actor: administrator ? nobodyYet(administrator) : null }, 'SIGN_IN_FAILED');
      throw failure('SIGN_IN_FAILED');
    }
    return admit(context, attemptOf(administrator, 'password'), (tx) => attempt.succeed(tx));
  }),

  sendCode: on.session.sendCode.handler(async ({ context }) => {
    requireMail(context.services);
    const { administratorId: id, email } = await attemptHere(context);
    return sendCode(context, { id, email }, 'newBrowser');
  }),

  giveCode: on.session.giveCode.handler(async ({ input, context }) => {
    const here = await attemptHere(context);
    const attempt = await countAttempt(context.services, `code ${here.administratorId}`, context.ip);
    const use = await checkCode(context, here.administratorId, 'newBrowser', input.code).catch(refused(context, ownerOf(here)));
    return goOn(context, { ...here, code: true }, async (tx) => {
      await use(tx);
      await attempt.succeed(tx);
    });
  }),

  passkey: on.session.passkey.handler(async ({ context }) => {
    const { administratorId, browser } = await attemptHere(context);
    return { options: await passkeyQuestion(context, administratorId, browser) };
  }),

  giveFactor: on.session.giveFactor.handler(async ({ input, context }) => {
    const here = await attemptHere(context);
    // The code comes first, otherwise the factor would be used up for nothing.
    const isKnown =
      here.code || !context.services.config.newBrowserCode || (await knownBrowser(context.db, context, here.administratorId));
    if (!isKnown || (await factorMethods(context.db, here.administratorId)).length === 0) throw failure('ATTEMPT_GONE');
    await takeFactor(context, here.administratorId, input, here.browser)
      .catch(toldOf(context, ownerOf(here), 'factor'))
      .catch(refused(context, ownerOf(here)));
    return goOn(context, { ...here, factor: true });
  }),

  // Must not reveal whether the account exists: time is padded, and the mail server is asked for every address.
  forgot: on.session.forgot.handler(async ({ input, context }) => {
    requireMail(context.services);
    const email = normalEmail(input.email);
    const { administrator, counted } = await evenly(async () => {
      await takeNetworkTurn(context.services, context.ip);
      const found = await findAdministrator(context, email);
      const key = await countedBy(context, email, found);
      await takeTurn(context.services, `forgot ${key}`, codeWait * 1000);
      return { administrator: found, counted: key };
    });
    await requireMailServer(context.services).catch(async (error: unknown) => {
      await giveTurnBack(context.services, `forgot ${counted}`);
      throw error;
    });
    return evenly(async () => {
      // Counted after the mail server answers, so that an outage does not use up the limit.
      if (counted === strangers(email)) await takeFromWindow(context.services, `forgot today ${counted}`, mostForgotten, dayMs);
      if (administrator && mayEnter(context, administrator))
        await context.db.transaction((tx) => queueCode(tx, context, administrator, 'resetPassword'));
      return { wait: codeWait };
    });
  }),

  resetPassword: on.session.resetPassword.handler(({ input, context }) =>
    evenly(async () => {
      const email = normalEmail(input.email);
      const administrator = await findAdministrator(context, email);
      const counted = `reset ${await countedBy(context, email, administrator)}`;
      const attempt = await countAttempt(context.services, counted, context.ip);
      if (!administrator || !mayEnter(context, administrator)) {
        await recordRefusal({ ...context, actor: null }, 'CODE_WRONG');
        throw failure('CODE_WRONG');
      }
      const use = await checkCode(context, administrator.id, 'resetPassword', input.code).catch(refused(context, administrator));
      const hash = await newPasswordHash(context, administrator, input.password);
      await context.db.transaction(async (tx) => {
        await use(tx);
        await attempt.succeed(tx);
        await setPassword(tx, context, administrator, hash);
        const actor = nobodyYet(administrator);
        await recordAudit(tx, { ...context, actor }, [{ entity: 'administrator', id: actor.id, action: 'resetPassword' }]);
      });
      return {};
    }),
  ),

  usePasswordLink: on.session.usePasswordLink.handler(async ({ input, context }) => {
    await takeNetworkTurn(context.services, context.ip);
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
    if (!found || !mayEnter(context, found.owner)) throw failure('LINK_GONE');
    const { owner } = found;
    const hash = await newPasswordHash(context, owner, input.password);
    await context.db.transaction(async (tx) => {
      const used = await tx.update(passwordLinks).set({ usedAt: at }).where(live).returning({ id: passwordLinks.id });
      if (used.length === 0) throw failure('LINK_GONE');
      await setPassword(tx, context, owner, hash);
      await recordAudit(tx, { ...context, actor: nobodyYet(owner) }, [{ entity: 'administrator', id: owner.id }]);
    });
    return { email: owner.email };
  }),

  signOut: on.session.signOut.handler(async ({ context }) => {
    const { sessionId } = actorOf(context);
    await context.db.transaction(async (tx) => {
      await endSession(tx, context, sessionId);
      await recordAudit(tx, context, [{ entity: 'session', id: sessionId }]);
    });
    return {};
  }),

  current: on.session.current.handler(({ context }) => wholeAccessOf(context.db, context.services, actorOf(context))),
};

type Administrator = typeof administrators.$inferSelect;

async function findAdministrator(context: RequestContext, email: string): Promise<Administrator | null> {
  // PostgreSQL cannot store these characters.
  const asked = /[\uD800-\uDFFF\0]/u.test(email) ? '' : email;
  const [found] = await context.db
    .select()
    .from(administrators)
    .where(and(eq(administrators.email, asked), isNull(administrators.deletedAt)));
  return found ?? null;
}

const mayEnter = ({ services: { config } }: RequestContext, { enabled, deletedAt, demo }: Administrator) =>
  enabled && deletedAt === null && (!demo || config.demo);

/** A password chosen by a colleague works for a day. */
const isOver = ({ services }: RequestContext, { passwordExpiresAt }: Administrator) =>
  passwordExpiresAt !== null && passwordExpiresAt.getTime() <= services.now();

/** A known browser has its own count, so that strangers cannot lock the account out. */
async function countedBy(context: RequestContext, email: string, administrator: Administrator | null): Promise<string> {
  const browser = administrator && (await knownBrowser(context.db, context, administrator.id));
  return browser === null ? strangers(email) : `browser ${browser}`;
}

const strangers = (email: string) => createHash('sha256').update(email).digest('hex');

/** Codes per mailbox and day from unknown browsers, with or without an account. */
const mostForgotten = 20;

const dayMs = 86_400_000;

const ownerOf = ({ administratorId, email }: { administratorId: string; email: string }) => ({ id: administratorId, email });
