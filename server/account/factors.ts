import { and, eq } from 'drizzle-orm';
import { recordOwnChange } from '../platform/auth/account-changes.ts';
import { putChallenge, peekChallenge, burnChallenge } from '../platform/auth/sign-in/challenges.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { badField, appError } from '../platform/core/errors.ts';
import {
  hasFactor,
  makeRecoveryCodes,
  newTotp,
  recoveryCodesLeft,
  sealTotp,
  totpStep,
} from '../platform/auth/sign-in/factors.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { verifyNewPasskey, passkeyCreationOptions } from '../platform/auth/sign-in/passkeys.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import type { OwnerNotice } from '../platform/auth/mail-texts.ts';
import { notifyOwner } from '../platform/auth/sign-in/notify-owner.ts';
import { requireFreshFactor, requireFreshProof } from '../platform/auth/step-up.ts';
import { countAttempt } from '../platform/http/rate-limit.ts';
import { writeOnce } from '../platform/records/write.ts';
import { administrators, passkeys, recoveryCodes, sessions } from '../platform/auth/tables.ts';

/** Requires a recently confirmed second factor, if there is one. */
export const factorRoutes = {
  startTotp: guardedApi.account.startTotp.handler(async ({ context }) => {
    const { id, email, sessionId } = requirePerson(context);
    await requireFreshProof(context);
    const { secret, uri } = newTotp(email);
    await putChallenge(
      context.db,
      context,
      { purpose: 'totp', browser: sessionId, administratorId: id },
      sealTotp(context, id, secret),
    );
    return { secret, uri };
  }),

  addTotp: guardedApi.account.addTotp.handler(async ({ input, context }) => {
    const { id, sessionId } = requirePerson(context);
    await requireFreshProof(context);
    const attempt = await countAttempt(context.services, `enrol ${id}`, context.ip);
    const challenge = await peekChallenge(context, 'totp', sessionId);
    if (!challenge || challenge.administratorId !== id) throw appError('ATTEMPT_GONE');
    const step = totpStep(context, id, challenge.message, input.code);
    if (step === null) throw badField('code', 'invalid');
    let codes: string[] | null = null;
    await writeOnce(context, input, async (tx, note) => {
      if (!(await burnChallenge(tx, context, 'totp', sessionId))) throw appError('ATTEMPT_GONE');
      await attempt.succeed(tx);
      await tx.update(administrators).set({ totpSecret: challenge.message, totpLastStep: step }).where(eq(administrators.id, id));
      await markFresh(tx, context);
      await settle(tx, context, 'totpAdded');
      codes = await firstCodes(tx, context);
      note({ entity: 'administrator', id });
      return {};
    });
    return { recoveryCodes: codes };
  }),

  removeTotp: guardedApi.account.removeTotp.handler(async ({ context }) => {
    const { id } = requirePerson(context);
    await requireFreshFactor(context);
    return writeOnce(context, {}, async (tx, note) => {
      const [own] = await tx.select().from(administrators).where(eq(administrators.id, id)).for('update');
      if (!own?.totpSecret) throw appError('NOT_FOUND');
      await tx.update(administrators).set({ totpSecret: null, totpLastStep: null }).where(eq(administrators.id, id));
      await forgetCodesWithoutFactor(tx, id);
      await settle(tx, context, 'totpRemoved');
      note({ entity: 'administrator', id });
      return {};
    });
  }),

  newRecoveryCodes: guardedApi.account.newRecoveryCodes.handler(async ({ context }) => {
    const { id } = requirePerson(context);
    await requireFreshFactor(context);
    if (!(await hasFactor(context.db, id))) throw appError('NOT_FOUND');
    // Codes are shown once and never stored, not even with the Idempotency-Key.
    let made: string[] = [];
    await writeOnce(context, {}, async (tx, note) => {
      made = await makeRecoveryCodes(tx, context, id);
      await settle(tx, context, 'recoveryCodesReplaced');
      note({ entity: 'administrator', id });
      return {};
    });
    if (made.length === 0) throw appError('CONFLICT');
    return { recoveryCodes: made };
  }),

  startPasskey: guardedApi.account.startPasskey.handler(async ({ context }) => {
    const actor = requirePerson(context);
    await requireFreshProof(context);
    return { options: await passkeyCreationOptions(context, actor, actor.sessionId) };
  }),

  addPasskey: guardedApi.account.addPasskey.handler(async ({ input, context }) => {
    const { id, sessionId } = requirePerson(context);
    await requireFreshProof(context);
    const made = await verifyNewPasskey(context, id, input.response, sessionId);
    let codes: string[] | null = null;
    await writeOnce(context, input, async (tx, note) => {
      await lockSelf(tx, id);
      const createdAt = new Date(context.services.now());
      const key = { id: newId(), administratorId: id, name: input.name, createdAt, ...made };
      const added = await tx.insert(passkeys).values(key).onConflictDoNothing().returning({ id: passkeys.id });
      if (added.length === 0) throw appError('FACTOR_WRONG'); // belongs to someone, or is registered already
      await markFresh(tx, context);
      await settle(tx, context, 'passkeyAdded');
      codes = await firstCodes(tx, context);
      note({ entity: 'passkey', id: key.id, after: { name: input.name } });
      return {};
    });
    return { recoveryCodes: codes };
  }),

  removePasskey: guardedApi.account.removePasskey.handler(async ({ input, context }) => {
    const { id } = requirePerson(context);
    await requireFreshFactor(context);
    return writeOnce(context, input, async (tx, note) => {
      await lockSelf(tx, id);
      const [gone] = await tx
        .delete(passkeys)
        .where(and(eq(passkeys.id, input.id), eq(passkeys.administratorId, id)))
        .returning();
      if (!gone) throw appError('NOT_FOUND');
      await forgetCodesWithoutFactor(tx, id);
      await settle(tx, context, 'passkeyRemoved');
      note({ entity: 'passkey', id: gone.id, before: { name: gone.name } });
      return {};
    });
  }),
};

/** Ends all other sessions, which began without the factor, and sends a mail. */
async function settle(tx: Tx, context: RequestContext, notice: OwnerNotice): Promise<void> {
  const { id, email, sessionId } = requirePerson(context);
  await revokeSessionsOf(tx, context, [id], { keep: sessionId });
  await recordOwnChange(tx, context, id, 'factor');
  await notifyOwner(tx, context, email, notice);
}

/** Waits for a concurrent sign-in of the same person, so that its session sees the new factors or is ended. */
const lockSelf = (tx: Tx, id: string) =>
  tx.select({ id: administrators.id }).from(administrators).where(eq(administrators.id, id)).for('update');

async function markFresh(tx: Tx, context: RequestContext): Promise<void> {
  const factorAt = new Date(context.services.now());
  await tx
    .update(sessions)
    .set({ factorAt })
    .where(eq(sessions.id, requirePerson(context).sessionId));
}

/** Only with the first factor; never stored. Null: codes exist. */
async function firstCodes(tx: Tx, context: RequestContext): Promise<string[] | null> {
  const { id } = requirePerson(context);
  return (await recoveryCodesLeft(tx, id)) > 0 ? null : makeRecoveryCodes(tx, context, id);
}

/** Recovery codes are useless without a factor. */
async function forgetCodesWithoutFactor(tx: Tx, id: string): Promise<void> {
  if (!(await hasFactor(tx, id))) await tx.delete(recoveryCodes).where(eq(recoveryCodes.administratorId, id));
}
