import { and, count, countDistinct, eq, gt, inArray, isNull, isNotNull, lt, or } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { FactorMethod, FactorProof } from '../../../../api/access/session.ts';
import { administratorRoles, administrators, passkeys, recoveryCodes, roles } from '../tables.ts';
import type { RequestContext } from '../../services/context.ts';
import type { Config } from '../../core/config.ts';
import type { Db, Queries, Tx } from '../../db/db.ts';
import { createAppError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { checkPasskey } from './passkeys.ts';
import { generateReadableCode, normalizeReadableCode } from './readable-codes.ts';
import { computeKeyedHash, computeKeyedHashes, seal, unseal } from '../../core/encryption.ts';
import { countAttempt } from '../../http/rate-limit.ts';

/** Recovery codes alone do not count. */
export async function readFactorMethods(queries: Queries, administratorId: string): Promise<FactorMethod[]> {
  const [app] = await queries
    .select({ id: administrators.id })
    .from(administrators)
    .where(and(eq(administrators.id, administratorId), isNotNull(administrators.totpSecret)));
  const keys = await queries.$count(passkeys, eq(passkeys.administratorId, administratorId));
  if (!app && keys === 0) return [];
  const remainingCodes = await countRecoveryCodes(queries, administratorId);
  return [
    ...(keys > 0 ? ['passkey' as const] : []),
    ...(app ? ['totp' as const] : []),
    ...(remainingCodes > 0 ? ['recovery' as const] : []),
  ];
}

export const hasFactor = async (queries: Queries, administratorId: string): Promise<boolean> =>
  (await readFactorMethods(queries, administratorId)).length > 0;

export async function needsFactor(queries: Queries, administratorId: string): Promise<boolean> {
  const [row] = await queries
    .select({ n: count() })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(and(eq(administratorRoles.administratorId, administratorId), eq(roles.needsFactor, true)));
  return (row?.n ?? 0) > 0;
}

/**
 * Nothing is accepted twice, even concurrently. `browser`: what the passkey challenge is bound to. Throws FACTOR_WRONG, then
 * TOO_MANY_REQUESTS.
 */
export async function consumeFactor(
  context: RequestContext,
  administratorId: string,
  { method, value }: FactorProof,
  browser: string,
): Promise<void> {
  const attempt = await countAttempt(context.services, `factor ${administratorId}`, context.ip);
  const isRight =
    method === 'totp'
      ? await consumeTotp(context, administratorId, value)
      : method === 'recovery'
        ? await consumeRecoveryCode(context, administratorId, value)
        : await checkPasskey(context, administratorId, value, browser);
  if (!isRight) throw createAppError('FACTOR_WRONG');
  await attempt.succeed(context.db);
}

/** Clock differences of phone and servers. */
const acceptedSteps = 6;

const sealPurposeOf = (administratorId: string) => `totp ${administratorId}`;

export function canOpenTotp(config: Config, administratorId: string, sealedSecret: string): boolean {
  try {
    unseal(config, sealPurposeOf(administratorId), sealedSecret);
    return true;
  } catch {
    return false;
  }
}

export function createTotp(email: string): { secret: string; uri: string } {
  const totp = new TOTP({ issuer: 'Admin Panel', label: email, secret: new Secret({ size: 20 }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

export const sealTotp = ({ services: { config } }: RequestContext, administratorId: string, secret: string): string =>
  seal(config, sealPurposeOf(administratorId), secret);

/** Re-encrypts with the current key. */
export async function resealTotps(db: Db, config: Config): Promise<{ resealed: number; withRecoveryCodes: number }> {
  return db.transaction(async (tx) => {
    const totpOwners = await tx
      .select({ id: administrators.id, sealed: administrators.totpSecret })
      .from(administrators)
      .where(isNotNull(administrators.totpSecret))
      .for('update');
    for (const { id, sealed: sealedSecret } of totpOwners)
      await tx
        .update(administrators)
        .set({ totpSecret: seal(config, sealPurposeOf(id), unseal(config, sealPurposeOf(id), sealedSecret ?? '')) })
        .where(eq(administrators.id, id));
    const [recoveryCodeRow] = await tx
      .select({ people: countDistinct(recoveryCodes.administratorId) })
      .from(recoveryCodes)
      .where(isNull(recoveryCodes.usedAt));
    return { resealed: totpOwners.length, withRecoveryCodes: recoveryCodeRow?.people ?? 0 };
  });
}

/** At most one from now, or null. */
export function computeTotpStep(
  context: RequestContext,
  administratorId: string,
  sealedSecret: string,
  digits: string,
): number | null {
  const { config, now } = context.services;
  const secret = Secret.fromBase32(unseal(config, sealPurposeOf(administratorId), sealedSecret));
  const timestamp = now();
  const delta = TOTP.validate({ token: digits.replace(/\s/g, ''), secret, timestamp, window: 1 });
  return delta === null ? null : TOTP.counter({ timestamp }) + delta;
}

async function consumeTotp(context: RequestContext, administratorId: string, digits: string): Promise<boolean> {
  const [owner] = await context.db
    .select({ sealed: administrators.totpSecret })
    .from(administrators)
    .where(eq(administrators.id, administratorId));
  if (!owner?.sealed) return false;
  const timeStep = computeTotpStep(context, administratorId, owner.sealed, digits);
  if (timeStep === null) return false;
  const consumedRows = await context.db
    .update(administrators)
    .set({ totpLastStep: timeStep })
    .where(
      and(
        eq(administrators.id, administratorId),
        isNotNull(administrators.totpSecret),
        // A step far ahead came from a wrong clock.
        or(
          isNull(administrators.totpLastStep),
          lt(administrators.totpLastStep, timeStep),
          gt(administrators.totpLastStep, timeStep + acceptedSteps),
        ),
      ),
    )
    .returning({ id: administrators.id });
  return consumedRows.length > 0;
}

const recoveryCodeCount = 10;
const recoveryPurposeOf = (administratorId: string) => `recovery ${administratorId}`;

export const countRecoveryCodes = (queries: Queries, administratorId: string): Promise<number> =>
  queries.$count(recoveryCodes, and(eq(recoveryCodes.administratorId, administratorId), isNull(recoveryCodes.usedAt)));

/** Replaces the old codes. Never readable again. */
export async function createRecoveryCodes(tx: Tx, context: RequestContext, administratorId: string): Promise<string[]> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.administratorId, administratorId));
  const codes = Array.from({ length: recoveryCodeCount }, generateReadableCode);
  await tx.insert(recoveryCodes).values(
    codes.map((code) => ({
      id: newId(),
      administratorId,
      codeHash: computeKeyedHash(context.services.config, recoveryPurposeOf(administratorId), normalizeReadableCode(code)),
    })),
  );
  return codes;
}

async function consumeRecoveryCode(context: RequestContext, administratorId: string, code: string): Promise<boolean> {
  const codeHashes = computeKeyedHashes(context.services.config, recoveryPurposeOf(administratorId), normalizeReadableCode(code));
  const consumedRows = await context.db
    .update(recoveryCodes)
    .set({ usedAt: new Date(context.services.now()) })
    .where(
      and(
        eq(recoveryCodes.administratorId, administratorId),
        inArray(recoveryCodes.codeHash, codeHashes),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id });
  return consumedRows.length > 0;
}
