import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { administrators, enrollmentCodes } from '../tables.ts';
import { requirePerson, type RequestContext } from '../../services/context.ts';
import type { Tx } from '../../db/db.ts';
import { createFieldError, isAppError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { computeKeyedHash, matchesKeyedHash } from '../../core/encryption.ts';
import { countAttempt } from '../../http/rate-limit.ts';
import { recordVouching } from '../account-changes.ts';
import { assertMayManage } from '../rights/role-granting.ts';
import { anyAddress } from '../rights/role-networks.ts';
import { lockCurrentHolders } from '../rights/current-holders.ts';
import { notifyOwner } from './notify-owner.ts';
import { generateReadableCode, normalizeReadableCode } from './readable-codes.ts';
import { notifyOwnerOnFailure, recordRefusalOf } from './wrong-guesses.ts';
import type { RecordAudit } from '../../records/write.ts';

const validMs = 3_600_000;
const maxAttempts = 5;

const purposeOf = (administratorId: string) => `enrollment ${administratorId}`;

/** Voids an earlier one. The code is readable only here. */
export async function createEnrollmentCode(
  tx: Tx,
  context: RequestContext,
  administratorId: string,
): Promise<{ code: string; expiresAt: Date }> {
  const { config, now } = context.services;
  const createdAt = new Date(now());
  const expiresAt = new Date(createdAt.getTime() + validMs);
  const code = generateReadableCode();
  await tx
    .update(enrollmentCodes)
    .set({ usedAt: createdAt })
    .where(and(eq(enrollmentCodes.administratorId, administratorId), isNull(enrollmentCodes.usedAt)));
  await tx.insert(enrollmentCodes).values({
    id: newId(),
    administratorId,
    codeHash: computeKeyedHash(config, purposeOf(administratorId), normalizeReadableCode(code)),
    createdBy: requirePerson(context).id,
    createdAt,
    expiresAt,
  });
  return { code, expiresAt };
}

/** Call before other rows are locked. Throws BAD_REQUEST if the code no longer counts. */
export type ConsumeEnrollmentCode = (tx: Tx, recordAudit: RecordAudit) => Promise<void>;

/**
 * Five attempts, also concurrent ones. The returned function vouches for the factor in the caller's transaction, where only one
 * of two commits. Throws BAD_REQUEST for a wrong code.
 */
export async function checkEnrollmentCode(context: RequestContext, code: string): Promise<ConsumeEnrollmentCode> {
  const actor = requirePerson(context);
  const limit = await countAttempt(context.services, `enrollment code ${actor.id}`, context.ip);
  const isUsable = and(
    eq(enrollmentCodes.administratorId, actor.id),
    isNull(enrollmentCodes.usedAt),
    gt(enrollmentCodes.expiresAt, new Date(context.services.now())),
  );
  const [attemptedCode] = await context.db
    .update(enrollmentCodes)
    .set({ attempts: sql`${enrollmentCodes.attempts} + 1` })
    .where(and(isUsable, lt(enrollmentCodes.attempts, maxAttempts)))
    .returning();
  const isRight =
    attemptedCode &&
    matchesKeyedHash(context.services.config, purposeOf(actor.id), normalizeReadableCode(code), attemptedCode.codeHash);
  if (!isRight)
    return Promise.reject(wrongCodeError())
      .catch(notifyOwnerOnFailure(context, actor, 'step'))
      .catch(recordRefusalOf(context, actor));
  return async (tx, recordAudit) => {
    const [voucher] = await findVoucher(tx, context, attemptedCode.createdBy, actor.id);
    const consumedCodes = await tx
      .update(enrollmentCodes)
      .set({ usedAt: new Date(context.services.now()) })
      .where(and(eq(enrollmentCodes.id, attemptedCode.id), isUsable))
      .returning({ id: enrollmentCodes.id });
    if (!voucher || consumedCodes.length === 0) throw wrongCodeError();
    await limit.succeed(tx);
    const factorVouchedAt = new Date(context.services.now());
    await tx.update(administrators).set({ factorVouchedAt }).where(eq(administrators.id, actor.id));
    await recordVouching(tx, context, actor.id, voucher);
    await notifyOwner(tx, context, actor.email, 'factorVouched', voucher.email);
    recordAudit({ entity: 'administrator', id: actor.id, action: 'useEnrollmentCode', after: { vouchedBy: voucher.email } });
  };
}

/** The code's author, who must still be allowed to give it. Holds until commit. */
async function findVoucher(tx: Tx, context: RequestContext, voucherId: string, administratorId: string) {
  const holders = await lockCurrentHolders(tx, context, [voucherId], 'administrators.giveEnrollmentCode');
  if (!holders.has(voucherId) || voucherId === administratorId) return [];
  const mayManage = await assertMayManage(tx, { id: voucherId, calledFrom: anyAddress }, administratorId).then(
    () => true,
    (error: unknown) => {
      if (isAppError(error, 'HOLDS_MORE')) return false;
      throw error;
    },
  );
  if (!mayManage) return [];
  return tx
    .select({ id: administrators.id, email: administrators.email })
    .from(administrators)
    .where(eq(administrators.id, voucherId));
}

const wrongCodeError = () => createFieldError('enrollmentCode', 'enrollmentCode');
