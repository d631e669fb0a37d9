import { randomInt } from 'node:crypto';
import { and, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm';
import { mailCodes } from '../tables.ts';
import type { RequestContext } from '../../services/context.ts';
import type { Tx } from '../../db/db.ts';
import { createAppError, isAppError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { buildBilingualMail } from '../../content/bilingual-mail.ts';
import { deliverNow, queueMail, reserveMail, type Mail } from '../../content/mail.ts';
import { computeKeyedHash, matchesKeyedHash } from '../../core/encryption.ts';
import { releaseRateLimit, consumeRateLimit } from '../../http/rate-limit.ts';
import { formatTime } from '../../core/wording.ts';
import { codeMail, codePurposes } from '../mail-texts.ts';

export type CodePurpose = (typeof mailCodes.$inferSelect)['purpose'];

/** Seconds, per person. */
export const codeWaitSeconds = 60;
const validMs = 600_000;
const maxAttempts = 5;

/** Voids earlier codes. Throws TOO_MANY_REQUESTS within a minute. After MAIL_FAILED another can be requested immediately. */
export async function sendCode(
  context: RequestContext,
  { id, email }: { id: string; email: string },
  purpose: CodePurpose,
): Promise<{ wait: number }> {
  const rateLimitKey = `code ${purpose} ${id}`;
  await consumeRateLimit(context.services, rateLimitKey, codeWaitSeconds * 1000);
  const { codeId, mail } = await context.db.transaction((tx) => writeCode(tx, context, { id, email }, purpose, reserveMail));
  try {
    await deliverNow(context.services, mail);
  } catch (error) {
    if (!isAppError(error, 'MAIL_FAILED')) throw error; // the email may have been sent
    await context.db
      .update(mailCodes)
      .set({ usedAt: new Date(context.services.now()) })
      .where(eq(mailCodes.id, codeId));
    await releaseRateLimit(context.services, rateLimitKey);
    throw error;
  }
  return { wait: codeWaitSeconds };
}

export async function queueCode(
  tx: Tx,
  context: RequestContext,
  recipient: { id: string; email: string },
  purpose: CodePurpose,
): Promise<void> {
  await writeCode(tx, context, recipient, purpose, queueMail);
}

async function writeCode<T>(
  tx: Tx,
  context: RequestContext,
  { id, email }: { id: string; email: string },
  purpose: CodePurpose,
  storeMail: (tx: Tx, currentTime: Date, mail: Mail) => Promise<T>,
): Promise<{ codeId: string; mail: T }> {
  const { config, now } = context.services;
  const currentTime = new Date(now());
  const expiresAt = new Date(currentTime.getTime() + validMs);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  await tx
    .update(mailCodes)
    .set({ usedAt: currentTime })
    .where(and(eq(mailCodes.administratorId, id), eq(mailCodes.purpose, purpose), isNull(mailCodes.usedAt)));
  const codeId = newId();
  await tx.insert(mailCodes).values({
    id: codeId,
    administratorId: id,
    purpose,
    codeHash: computeKeyedHash(config, `code ${purpose} ${id}`, code),
    createdAt: currentTime,
    expiresAt,
  });
  const mailMessage = buildBilingualMail(codeMail, (language) => ({
    code,
    purpose: codePurposes[purpose][language],
    minutes: validMs / 60_000,
    until: formatTime(expiresAt, language, config.timeZone),
    account: email,
    ip: context.ip,
    url: config.publicUrl,
  }));
  return { codeId, mail: await storeMail(tx, currentTime, { to: email, ...mailMessage }) };
}

/**
 * Five attempts, also concurrent ones. The returned function consumes the code in the caller's transaction, where only one of two
 * commits. Throws CODE_WRONG.
 */
export async function checkCode(
  context: RequestContext,
  administratorId: string,
  purpose: CodePurpose,
  code: string,
): Promise<(tx: Tx) => Promise<void>> {
  const { config, now } = context.services;
  const currentTime = new Date(now());
  const [validCode] = await context.db
    .select({ id: mailCodes.id })
    .from(mailCodes)
    .where(
      and(
        eq(mailCodes.administratorId, administratorId),
        eq(mailCodes.purpose, purpose),
        isNull(mailCodes.usedAt),
        gt(mailCodes.expiresAt, currentTime),
      ),
    )
    .orderBy(desc(mailCodes.createdAt))
    .limit(1);
  if (!validCode) throw createAppError('CODE_WRONG');
  const [attemptedCode] = await context.db
    .update(mailCodes)
    .set({ attempts: sql`${mailCodes.attempts} + 1` })
    .where(and(eq(mailCodes.id, validCode.id), isNull(mailCodes.usedAt), lt(mailCodes.attempts, maxAttempts)))
    .returning({ codeHash: mailCodes.codeHash });
  if (!attemptedCode || !matchesKeyedHash(config, `code ${purpose} ${administratorId}`, code, attemptedCode.codeHash))
    throw createAppError('CODE_WRONG');
  return async (tx) => {
    const usedCode = await tx
      .update(mailCodes)
      .set({ usedAt: currentTime })
      .where(and(eq(mailCodes.id, validCode.id), isNull(mailCodes.usedAt)))
      .returning({ id: mailCodes.id });
    if (usedCode.length === 0) throw createAppError('CODE_WRONG');
  };
}
