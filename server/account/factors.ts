import { and, eq } from 'drizzle-orm';
import { recordChangeOfOwnAccount } from '../platform/auth/account-changes.ts';
import { storeChallenge, readChallenge, consumeChallenge } from '../platform/auth/sign-in/challenges.ts';
import { requirePerson, type RequestContext } from '../platform/services/context.ts';
import type { Tx } from '../platform/db/db.ts';
import { createFieldError, createAppError } from '../platform/core/errors.ts';
import {
  hasFactor,
  createRecoveryCodes,
  createTotp,
  countRecoveryCodes,
  sealTotp,
  computeTotpStep,
} from '../platform/auth/sign-in/factors.ts';
import { newId } from '../platform/core/ids.ts';
import { guardedApi } from '../platform/http/router.ts';
import { verifyNewPasskey, createPasskeyCreationOptions } from '../platform/auth/sign-in/passkeys.ts';
import { revokeSessionsOf } from '../platform/auth/sign-in/sessions.ts';
import type { OwnerNotice } from '../platform/auth/mail-texts.ts';
import { notifyOwner } from '../platform/auth/sign-in/notify-owner.ts';
import { requireFreshFactorOfOwner, requireFreshProof } from '../platform/auth/step-up.ts';
import { countAttempt } from '../platform/http/rate-limit.ts';
import { writeOnce } from '../platform/records/write.ts';
import { countAccessChange } from '../platform/auth/rights/access-changes.ts';
import { assertAccessKept, lockAccessExclusively, lockAccessShared } from '../platform/auth/rights/escalation.ts';
import { checkEnrollmentCode } from '../platform/auth/sign-in/enrollment-codes.ts';
import { markFirstFactor, readFactorGap } from '../platform/auth/sign-in/vouching.ts';
import { administrators, passkeys, recoveryCodes, sessions } from '../platform/auth/tables.ts';

/** Requires a recently confirmed second factor, if there is one. */
export const factorRoutes = {
  startTotp: guardedApi.account.startTotp.handler(async ({ context }) => {
    const { id, email, sessionId } = requirePerson(context);
    await requireFreshProof(context);
    const { secret, uri } = createTotp(email);
    await storeChallenge(
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
    const challenge = await readChallenge(context, 'totp', sessionId);
    if (!challenge || challenge.administratorId !== id) throw createAppError('ATTEMPT_GONE');
    const step = computeTotpStep(context, id, challenge.message, input.code);
    if (step === null) throw createFieldError('code', 'invalid');
    const consumeCode = await checkOptionalCode(context, input.enrollmentCode);
    let recoveryCodes: string[] | null = null;
    await writeOnce(context, withoutCode(input), async (tx, recordAudit) => {
      await lockSelf(tx, id);
      await markFirstFactor(tx, context, id);
      if (!(await consumeChallenge(tx, context, 'totp', sessionId))) throw createAppError('ATTEMPT_GONE');
      await attempt.succeed(tx);
      await tx.update(administrators).set({ totpSecret: challenge.message, totpLastStep: step }).where(eq(administrators.id, id));
      await consumeCode?.(tx, recordAudit);
      await markFactorConfirmed(tx, context);
      await finishFactorChange(tx, context, 'totpAdded');
      recoveryCodes = await createFirstCodes(tx, context);
      recordAudit({ entity: 'administrator', id });
      return {};
    });
    return { recoveryCodes };
  }),

  removeTotp: guardedApi.account.removeTotp.handler(async ({ context }) => {
    const { id } = requirePerson(context);
    await requireFreshFactorOfOwner(context);
    return writeOnce(context, {}, async (tx, recordAudit) => {
      await lockAccessExclusively(tx);
      const [ownRow] = await tx.select().from(administrators).where(eq(administrators.id, id)).for('update');
      if (!ownRow?.totpSecret) throw createAppError('NOT_FOUND');
      await tx.update(administrators).set({ totpSecret: null, totpLastStep: null }).where(eq(administrators.id, id));
      await deleteCodesWithoutFactor(tx, id);
      await finishFactorChange(tx, context, 'totpRemoved');
      if ((await readFactorGap(tx, id)) !== null) await assertAccessKept(tx, context);
      recordAudit({ entity: 'administrator', id });
      return {};
    });
  }),

  newRecoveryCodes: guardedApi.account.newRecoveryCodes.handler(async ({ context }) => {
    const { id } = requirePerson(context);
    await requireFreshFactorOfOwner(context);
    if (!(await hasFactor(context.db, id))) throw createAppError('NOT_FOUND');
    // Codes are shown once and never stored, not even with the Idempotency-Key.
    let newCodes: string[] = [];
    await writeOnce(context, {}, async (tx, recordAudit) => {
      newCodes = await createRecoveryCodes(tx, context, id);
      await finishFactorChange(tx, context, 'recoveryCodesReplaced');
      recordAudit({ entity: 'administrator', id });
      return {};
    });
    if (newCodes.length === 0) throw createAppError('CONFLICT');
    return { recoveryCodes: newCodes };
  }),

  startPasskey: guardedApi.account.startPasskey.handler(async ({ context }) => {
    const actor = requirePerson(context);
    await requireFreshProof(context);
    return { options: await createPasskeyCreationOptions(context, actor, actor.sessionId) };
  }),

  addPasskey: guardedApi.account.addPasskey.handler(async ({ input, context }) => {
    const { id, sessionId } = requirePerson(context);
    await requireFreshProof(context);
    const newPasskey = await verifyNewPasskey(context, id, input.response, sessionId);
    const consumeCode = await checkOptionalCode(context, input.enrollmentCode);
    let recoveryCodes: string[] | null = null;
    await writeOnce(context, withoutCode(input), async (tx, recordAudit) => {
      await lockSelf(tx, id);
      await markFirstFactor(tx, context, id);
      const createdAt = new Date(context.services.now());
      const key = { id: newId(), administratorId: id, name: input.name, createdAt, ...newPasskey };
      const insertedPasskeys = await tx.insert(passkeys).values(key).onConflictDoNothing().returning({ id: passkeys.id });
      if (insertedPasskeys.length === 0) throw createAppError('FACTOR_WRONG'); // belongs to someone, or is registered already
      await consumeCode?.(tx, recordAudit);
      await markFactorConfirmed(tx, context);
      await finishFactorChange(tx, context, 'passkeyAdded');
      recoveryCodes = await createFirstCodes(tx, context);
      recordAudit({ entity: 'passkey', id: key.id, after: { name: input.name } });
      return {};
    });
    return { recoveryCodes };
  }),

  removePasskey: guardedApi.account.removePasskey.handler(async ({ input, context }) => {
    const { id } = requirePerson(context);
    await requireFreshFactorOfOwner(context);
    return writeOnce(context, input, async (tx, recordAudit) => {
      await lockAccessExclusively(tx);
      await lockSelf(tx, id);
      const [deletedPasskey] = await tx
        .delete(passkeys)
        .where(and(eq(passkeys.id, input.id), eq(passkeys.administratorId, id)))
        .returning();
      if (!deletedPasskey) throw createAppError('NOT_FOUND');
      await deleteCodesWithoutFactor(tx, id);
      await finishFactorChange(tx, context, 'passkeyRemoved');
      if ((await readFactorGap(tx, id)) !== null) await assertAccessKept(tx, context);
      recordAudit({ entity: 'passkey', id: deletedPasskey.id, before: { name: deletedPasskey.name } });
      return {};
    });
  }),

  useEnrollmentCode: guardedApi.account.useEnrollmentCode.handler(async ({ input, context }) => {
    const { id, sessionId } = requirePerson(context);
    await requireFreshFactorOfOwner(context);
    if (!(await hasFactor(context.db, id))) throw createAppError('FACTOR_REQUIRED');
    const consumeCode = await checkEnrollmentCode(context, input.enrollmentCode);
    return writeOnce(context, {}, async (tx, recordAudit) => {
      await lockSelf(tx, id);
      await consumeCode(tx, recordAudit);
      await revokeSessionsOf(tx, context, [id], { keep: sessionId });
      await countAccessChange(tx); // open tabs reload
      return {};
    });
  }),
};

const checkOptionalCode = async (context: RequestContext, code: string | undefined) =>
  code === undefined ? null : checkEnrollmentCode(context, code);

/** Not even a hash of the code is stored with the Idempotency-Key. */
const withoutCode = <T extends { enrollmentCode?: string | undefined }>(input: T) => ({ ...input, enrollmentCode: '' });

/** Ends all other sessions, which began without the factor, and sends a mail. */
async function finishFactorChange(tx: Tx, context: RequestContext, notice: OwnerNotice): Promise<void> {
  const { id, email, sessionId } = requirePerson(context);
  await revokeSessionsOf(tx, context, [id], { keep: sessionId });
  await recordChangeOfOwnAccount(tx, context, id, 'factor');
  await notifyOwner(tx, context, email, notice);
}

/** Waits for a concurrent sign-in of the same person, so that its session sees the new factors or is ended. */
async function lockSelf(tx: Tx, id: string): Promise<void> {
  await lockAccessShared(tx); // before the row, as changes by colleagues do
  await tx.select({ id: administrators.id }).from(administrators).where(eq(administrators.id, id)).for('update');
}

async function markFactorConfirmed(tx: Tx, context: RequestContext): Promise<void> {
  const factorAt = new Date(context.services.now());
  await tx
    .update(sessions)
    .set({ factorAt })
    .where(eq(sessions.id, requirePerson(context).sessionId));
}

/** Only with the first factor; never stored. Null: codes exist. */
async function createFirstCodes(tx: Tx, context: RequestContext): Promise<string[] | null> {
  const { id } = requirePerson(context);
  return (await countRecoveryCodes(tx, id)) > 0 ? null : createRecoveryCodes(tx, context, id);
}

/** Recovery codes are useless without a factor. */
async function deleteCodesWithoutFactor(tx: Tx, id: string): Promise<void> {
  if (!(await hasFactor(tx, id))) await tx.delete(recoveryCodes).where(eq(recoveryCodes.administratorId, id));
}
