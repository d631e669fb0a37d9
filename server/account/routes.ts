import { and, asc, desc, eq } from 'drizzle-orm';
import { countAccessChange } from '../platform/auth/rights/access-changes.ts';
import { checkCode, sendCode } from '../platform/auth/sign-in/codes.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import { readFactorMethods, needsFactor, countRecoveryCodes } from '../platform/auth/sign-in/factors.ts';
import { guardedApi } from '../platform/http/router.ts';
import { requireMail } from '../platform/content/mail.ts';
import { createPasskeyRequestOptions } from '../platform/auth/sign-in/passkeys.ts';
import { isPassword } from '../platform/auth/sign-in/password.ts';
import { recordRefusalOf, notifyOwnerOnFailure } from '../platform/auth/sign-in/wrong-guesses.ts';
import { revokeSessionsOf, liveSessionCondition } from '../platform/auth/sign-in/sessions.ts';
import { hashNewPassword, setPassword } from '../platform/auth/sign-in/set-password.ts';
import { lockAccessExclusively } from '../platform/auth/rights/escalation.ts';
import { markOwnSessionEnded } from '../platform/auth/rights/still-allowed.ts';
import { recordChangeOfOwnAccount } from '../platform/auth/account-changes.ts';
import { notifyOwner } from '../platform/auth/sign-in/notify-owner.ts';
import { requireSso } from '../platform/auth/sso/configured.ts';
import { startSso } from '../platform/auth/sso/start.ts';
import { hasLink, removeLinks } from '../platform/auth/sso/links.ts';
import { confirmIdentity, requireFreshProof, hasPassword } from '../platform/auth/step-up.ts';
import { countAttempt } from '../platform/http/rate-limit.ts';
import { writeOnce } from '../platform/records/write.ts';
import { administratorRoles, administrators, identityLinks, passkeys, roles, sessions } from '../platform/auth/tables.ts';
import { readFactorGap } from '../platform/auth/sign-in/vouching.ts';
import { factorRoutes } from './factors.ts';

export const account = {
  ...factorRoutes,

  get: guardedApi.account.get.handler(async ({ context }) => {
    const { id, sessionId, mustEnroll } = requirePerson(context);
    const { db } = context;
    const ownRow = await readOwnRow(context);
    const roleRows = await db
      .selectDistinct({ name: roles.name })
      .from(administratorRoles)
      .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
      .where(eq(administratorRoles.administratorId, id))
      .orderBy(asc(roles.name));
    const keys = await db.select().from(passkeys).where(eq(passkeys.administratorId, id)).orderBy(asc(passkeys.createdAt));
    const openSessions = await db
      .select()
      .from(sessions)
      .where(liveSessionCondition(context, id))
      .orderBy(desc(sessions.lastSeenAt), desc(sessions.id))
      .limit(100);
    return {
      email: ownRow.email,
      roles: roleRows.map(({ name }) => name),
      passwordChangedAt: ownRow.passwordChangedAt?.toISOString() ?? null,
      walletAddress: ownRow.walletAddress,
      hasPassword: ownRow.passwordHash !== null,
      sso: await readOwnLink(context),
      totp: ownRow.totpSecret !== null,
      passkeys: keys.map((key) => ({
        id: key.id,
        name: key.name,
        createdAt: key.createdAt.toISOString(),
        lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
      })),
      recoveryLeft: await countRecoveryCodes(db, id),
      factorGap: await readFactorGap(db, id),
      factorNeeded: mustEnroll === true || (await needsFactor(db, id)),
      passwordNeeded: ownRow.passwordExpiresAt !== null,
      sessions: openSessions.map((row) => ({
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
    const ownRow = await readOwnRow(context);
    const attempt = await verifyCurrentPassword(context, ownRow, input.current)
      .catch(notifyOwnerOnFailure(context, actor, 'step'))
      .catch(recordRefusalOf(context, actor));
    // Checks the rules first, so that a bad password does not cost the code.
    const hash = await hashNewPassword(context, ownRow, input.password);
    const markCodeUsed = await checkCode(context, actor.id, 'changePassword', input.code)
      .catch(notifyOwnerOnFailure(context, actor, 'step'))
      .catch(recordRefusalOf(context, actor));
    return writeOnce(context, { code: input.code }, async (tx, recordAudit) => {
      await markCodeUsed(tx);
      await attempt.succeed(tx);
      await setPassword(tx, context, actor, hash, actor.sessionId);
      if (ownRow.passwordExpiresAt) await countAccessChange(tx); // all open tabs reload access
      recordAudit({ entity: 'administrator', id: actor.id });
      return {};
    });
  }),

  factor: guardedApi.account.factor.handler(async ({ context }) => {
    const { id, sessionId } = requirePerson(context);
    const factorMethods = await readFactorMethods(context.db, id);
    const options = factorMethods.includes('passkey') ? await createPasskeyRequestOptions(context, id, sessionId) : null;
    if (factorMethods.length > 0) return { methods: factorMethods, options };
    if (await hasPassword(context.db, id)) return { methods: ['password' as const], options };
    return { methods: [(await hasLink(context.db, context, id)) ? ('sso' as const) : ('signIn' as const)], options };
  }),

  confirmFactor: guardedApi.account.confirmFactor.handler(async ({ input, context }) => {
    await confirmIdentity(context, input);
    return {};
  }),

  linkSso: guardedApi.account.linkSso.handler(async ({ context }) => {
    const { id: administratorId, sessionId } = requirePerson(context);
    requireSso(context.services);
    await requireFreshProof(context);
    return startSso(context, { kind: 'link', administratorId, sessionId });
  }),

  proveSso: guardedApi.account.proveSso.handler(({ context }) => {
    const { id: administratorId, sessionId } = requirePerson(context);
    return startSso(context, { kind: 'prove', administratorId, sessionId });
  }),

  unlinkSso: guardedApi.account.unlinkSso.handler(async ({ context }) => {
    await requireFreshProof(context);
    const { sso } = context.services.config;
    // Without the link, the password and the wallet would sign in again.
    if (sso?.required) throw createAppError('PROVIDER_REQUIRED', { name: sso.name });
    return writeOnce(context, {}, async (tx, recordAudit) => {
      const { id, email, sessionId } = requirePerson(context);
      await lockAccessExclusively(tx);
      const [ownRow] = await tx.select().from(administrators).where(eq(administrators.id, id)).for('update');
      if (!ownRow) throw createAppError('UNAUTHORIZED');
      if (ownRow.passwordHash === null && ownRow.walletAddress === null) throw createAppError('LAST_SIGN_IN_METHOD');
      if ((await removeLinks(tx, recordAudit, { id, email })).length === 0) throw createAppError('NOT_FOUND');
      await countAccessChange(tx);
      await revokeSessionsOf(tx, context, [id], { keep: sessionId });
      await recordChangeOfOwnAccount(tx, context, id, 'linked');
      await notifyOwner(tx, context, email, 'ssoUnlinked');
      return {};
    });
  }),

  endSession: guardedApi.account.endSession.handler(({ input, context }) =>
    writeOnce(context, input, async (tx, recordAudit) => {
      const { id, sessionId } = requirePerson(context);
      const endedSessions = await tx
        .update(sessions)
        .set({ revokedAt: new Date(context.services.now()) })
        .where(and(liveSessionCondition(context, id), eq(sessions.id, input.id)))
        .returning({ id: sessions.id });
      if (endedSessions.length === 0) throw createAppError('NOT_FOUND');
      if (input.id === sessionId) markOwnSessionEnded(tx);
      recordAudit({ entity: 'session', id: input.id });
      return {};
    }),
  ),

  endOtherSessions: guardedApi.account.endOtherSessions.handler(({ context }) =>
    writeOnce(context, {}, async (tx, recordAudit) => {
      const { id, sessionId } = requirePerson(context);
      const endedSessions = await revokeSessionsOf(tx, context, [id], { keep: sessionId });
      recordAudit({ entity: 'administrator', id, after: { ended: endedSessions } });
      return { ended: endedSessions };
    }),
  ),
};

async function readOwnRow(context: RequestContext) {
  const [ownRow] = await context.db
    .select()
    .from(administrators)
    .where(eq(administrators.id, requirePerson(context).id));
  if (!ownRow) throw createAppError('UNAUTHORIZED');
  return ownRow;
}

async function readOwnLink(context: RequestContext) {
  const issuer = context.services.config.sso?.issuer;
  if (issuer === undefined) return null;
  const isOwn = and(eq(identityLinks.administratorId, requirePerson(context).id), eq(identityLinks.issuer, issuer));
  const [link] = await context.db.select().from(identityLinks).where(isOwn);
  if (!link) return null;
  return { email: link.email, linkedAt: link.createdAt.toISOString(), lastUsedAt: link.lastUsedAt?.toISOString() ?? null };
}

/** Throws BAD_REQUEST for a wrong password. */
async function verifyCurrentPassword(
  context: RequestContext,
  { id, passwordHash }: typeof administrators.$inferSelect,
  currentPassword: string,
) {
  const attempt = await countAttempt(context.services, `password ${id}`, context.ip);
  if (!(await isPassword(passwordHash, currentPassword))) throw createFieldError('current', 'invalid');
  return attempt;
}
