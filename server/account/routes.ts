import { and, asc, desc, eq } from 'drizzle-orm';
import { countAccessChange } from '../platform/auth/rights/access-changes.ts';
import { checkCode, sendCode } from '../platform/auth/sign-in/codes.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import { badField, appError } from '../platform/core/errors.ts';
import { factorMethodsOf, needsFactor, recoveryCodesLeft } from '../platform/auth/sign-in/factors.ts';
import { guardedApi } from '../platform/http/router.ts';
import { requireMail } from '../platform/content/mail.ts';
import { passkeyRequestOptions } from '../platform/auth/sign-in/passkeys.ts';
import { isPassword } from '../platform/auth/sign-in/password.ts';
import { recordingRefusal, notifyingOwner } from '../platform/auth/sign-in/wrong-guesses.ts';
import { revokeSessionsOf, liveSessions } from '../platform/auth/sign-in/sessions.ts';
import { newPasswordHash, setPassword } from '../platform/auth/sign-in/set-password.ts';
import { markOwnSessionEnded } from '../platform/auth/rights/still-allowed.ts';
import { confirmSelf, hasPassword } from '../platform/auth/step-up.ts';
import { countAttempt } from '../platform/http/rate-limit.ts';
import { writeOnce } from '../platform/records/write.ts';
import { administratorRoles, administrators, passkeys, roles, sessions } from '../platform/auth/tables.ts';
import { factorRoutes } from './factors.ts';

export const account = {
  ...factorRoutes,

  get: guardedApi.account.get.handler(async ({ context }) => {
    const { id, sessionId } = requirePerson(context);
    const { db } = context;
    const own = await self(context);
    const held = await db
      .select({ name: roles.name })
      .from(administratorRoles)
      .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
      .where(eq(administratorRoles.administratorId, id))
      .orderBy(asc(roles.name));
    const keys = await db.select().from(passkeys).where(eq(passkeys.administratorId, id)).orderBy(asc(passkeys.createdAt));
    const open = await db
      .select()
      .from(sessions)
      .where(liveSessions(context, id))
      .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
      .limit(100);
    return {
      email: own.email,
      roles: held.map(({ name }) => name),
      passwordChangedAt: own.passwordChangedAt?.toISOString() ?? null,
      walletAddress: own.walletAddress,
      totp: own.totpSecret !== null,
      passkeys: keys.map((key) => ({
        id: key.id,
        name: key.name,
        createdAt: key.createdAt.toISOString(),
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      })),
      recoveryLeft: await recoveryCodesLeft(db, id),
      factorNeeded: await needsFactor(db, id),
      passwordNeeded: own.passwordExpiresAt !== null,
      sessions: open.map((row) => ({
        id: row.id,
        ip: row.ip,
        userAgent: row.userAgent,
        method: row.method,
        createdAt: row.createdAt.toISOString(),
        lastSeenAt: row.lastSeenAt.toISOString(),
        current: row.id === sessionId,
      })),
    };
  }),

  sendCode: guardedApi.account.sendCode.handler(({ context }) => {
    requireMail(context.services);
    return sendCode(context, requirePerson(context), 'changePassword');
  }),

  changePassword: guardedApi.account.changePassword.handler(async ({ input, context }) => {
    const actor = requirePerson(context);
    const own = await self(context);
    const attempt = await verifyCurrentPassword(context, own, input.current)
      .catch(notifyingOwner(context, actor, 'step'))
      .catch(recordingRefusal(context, actor));
    // Checks the rules first, so that a bad password does not cost the code.
    const hash = await newPasswordHash(context, own, input.password);
    const use = await checkCode(context, actor.id, 'changePassword', input.code)
      .catch(notifyingOwner(context, actor, 'step'))
      .catch(recordingRefusal(context, actor));
    return writeOnce(context, { code: input.code }, async (tx, note) => {
      await use(tx);
      await attempt.succeed(tx);
      await setPassword(tx, context, actor, hash, actor.sessionId);
      if (own.passwordExpiresAt) await countAccessChange(tx); // all open tabs reload access
      note({ entity: 'administrator', id: actor.id });
      return {};
    });
  }),

  factor: guardedApi.account.factor.handler(async ({ context }) => {
    const { id, sessionId } = requirePerson(context);
    const methods = await factorMethodsOf(context.db, id);
    const options = methods.includes('passkey') ? await passkeyRequestOptions(context, id, sessionId) : null;
    if (methods.length > 0) return { methods, options };
    return { methods: [(await hasPassword(context.db, id)) ? ('password' as const) : ('signIn' as const)], options };
  }),

  confirmFactor: guardedApi.account.confirmFactor.handler(async ({ input, context }) => {
    await confirmSelf(context, input);
    return {};
  }),

  endSession: guardedApi.account.endSession.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, note) => {
      const { id, sessionId } = requirePerson(context);
      const ended = await tx
        .update(sessions)
        .set({ revokedAt: new Date(context.services.now()) })
        .where(and(liveSessions(context, id), eq(sessions.id, input.id)))
        .returning({ id: sessions.id });
      if (ended.length === 0) throw appError('NOT_FOUND');
      if (input.id === sessionId) markOwnSessionEnded(tx);
      note({ entity: 'session', id: input.id });
      return {};
    }),
  ),

  endOtherSessions: guardedApi.account.endOtherSessions.handler(({ context }) =>
    writeOnce(context, {}, async (tx, note) => {
      const { id, sessionId } = requirePerson(context);
      const ended = await revokeSessionsOf(tx, context, [id], { keep: sessionId });
      note({ entity: 'administrator', id, after: { ended } });
      return { ended };
    }),
  ),
};

async function self(context: RequestContext) {
  const [own] = await context.db
    .select()
    .from(administrators)
    .where(eq(administrators.id, requirePerson(context).id));
  if (!own) throw appError('UNAUTHORIZED');
  return own;
}

/** Throws BAD_REQUEST for a wrong password. */
async function verifyCurrentPassword(
  context: RequestContext,
  { id, passwordHash }: typeof administrators.$inferSelect,
  current: string,
) {
  const attempt = await countAttempt(context.services, `password ${id}`, context.ip);
  if (!(await isPassword(passwordHash, current))) throw badField('current', 'invalid');
  return attempt;
}
