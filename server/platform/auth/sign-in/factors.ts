import { randomBytes } from 'node:crypto';
import { and, count, countDistinct, eq, gt, inArray, isNull, isNotNull, lt, or } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import type { FactorMethod, FactorShown } from '../../../../api/access/session.ts';
import { administratorRoles, administrators, passkeys, recoveryCodes, roles } from '../tables.ts';
import type { RequestContext } from '../../core/context.ts';
import type { Config } from '../../core/config.ts';
import type { Db, Queries, Tx } from '../../db/db.ts';
import { failure } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { checkPasskey } from './passkeys.ts';
import { keyedHash, keyedHashes, seal, unseal } from '../../core/encryption.ts';
import { countAttempt } from '../../http/rate-limit.ts';

/** What an administrator can show as a second factor; empty when they have none. Recovery codes alone are none. */
export async function factorMethods(queries: Queries, administratorId: string): Promise<FactorMethod[]> {
  const [app] = await queries
    .select({ id: administrators.id })
    .from(administrators)
    .where(and(eq(administrators.id, administratorId), isNotNull(administrators.totpSecret)));
  const keys = await queries.$count(passkeys, eq(passkeys.administratorId, administratorId));
  if (!app && keys === 0) return [];
  const left = await recoveryLeft(queries, administratorId);
  return [
    ...(keys > 0 ? ['passkey' as const] : []),
    ...(app ? ['totp' as const] : []),
    ...(left > 0 ? ['recovery' as const] : []),
  ];
}

export const hasFactor = async (queries: Queries, administratorId: string): Promise<boolean> =>
  (await factorMethods(queries, administratorId)).length > 0;

/** Whether any role of theirs asks for a second factor. */
export async function needsFactor(queries: Queries, administratorId: string): Promise<boolean> {
  const [row] = await queries
    .select({ n: count() })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(and(eq(administratorRoles.administratorId, administratorId), eq(roles.needsFactor, true)));
  return (row?.n ?? 0) > 0;
}

/**
 * Takes a second factor that was shown, once: neither the same digits nor the same recovery code nor the same passkey
 * answer go a second time, also not at the same moment. Throws FACTOR_WRONG, and TOO_MANY_REQUESTS after a few of those.
 * `browser` is what a passkey's question was bound to: the pre-session's fingerprint or the session's id.
 */
export async function takeFactor(
  context: RequestContext,
  administratorId: string,
  { method, value }: FactorShown,
  browser: string,
): Promise<void> {
  const attempt = await countAttempt(context.services, `factor ${administratorId}`, context.ip);
  const isRight =
    method === 'totp'
      ? await takeTotp(context, administratorId, value)
      : method === 'recovery'
        ? await takeRecoveryCode(context, administratorId, value)
        : await checkPasskey(context, administratorId, value, browser);
  if (!isRight) throw failure('FACTOR_WRONG');
  await attempt.succeed(context.db);
}

// ── The authenticator app ──────────────────────────────────────────────────

/** Further ahead than a code can be: one step for the clock that shows it, the rest for those of two servers. */
const aheadSteps = 6;

const sealedFor = (administratorId: string) => `totp ${administratorId}`;

/** Whether this server's key opens the secret of an authenticator app. */
export function opensTotp(config: Config, administratorId: string, sealed: string): boolean {
  try {
    unseal(config, sealedFor(administratorId), sealed);
    return true;
  } catch {
    return false;
  }
}

/** A new secret for an authenticator app, and the address its QR code holds. */
export function newTotp(email: string): { secret: string; uri: string } {
  const totp = new TOTP({ issuer: 'Admin Panel', label: email, secret: new Secret({ size: 20 }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

export const sealTotp = ({ services: { config } }: RequestContext, administratorId: string, secret: string): string =>
  seal(config, sealedFor(administratorId), secret);

/** Seals every authenticator secret with the key of now. Answers how many there are, and how many people have recovery codes. */
export async function resealTotps(db: Db, config: Config): Promise<{ resealed: number; withRecoveryCodes: number }> {
  return db.transaction(async (tx) => {
    const owners = await tx
      .select({ id: administrators.id, sealed: administrators.totpSecret })
      .from(administrators)
      .where(isNotNull(administrators.totpSecret))
      .for('update');
    for (const { id, sealed } of owners)
      await tx
        .update(administrators)
        .set({ totpSecret: seal(config, sealedFor(id), unseal(config, sealedFor(id), sealed ?? '')) })
        .where(eq(administrators.id, id));
    const [codes] = await tx
      .select({ people: countDistinct(recoveryCodes.administratorId) })
      .from(recoveryCodes)
      .where(isNull(recoveryCodes.usedAt));
    return { resealed: owners.length, withRecoveryCodes: codes?.people ?? 0 };
  });
}

/** The 30-second step the digits belong to, one before or after now at most; null when to none. */
export function totpStep(context: RequestContext, administratorId: string, sealed: string, digits: string): number | null {
  const { config, now } = context.services;
  const secret = Secret.fromBase32(unseal(config, sealedFor(administratorId), sealed));
  const timestamp = now();
  const delta = TOTP.validate({ token: digits.replace(/\s/g, ''), secret, timestamp, window: 1 });
  return delta === null ? null : TOTP.counter({ timestamp }) + delta;
}

async function takeTotp(context: RequestContext, administratorId: string, digits: string): Promise<boolean> {
  const [owner] = await context.db
    .select({ sealed: administrators.totpSecret })
    .from(administrators)
    .where(eq(administrators.id, administratorId));
  if (!owner?.sealed) return false;
  const step = totpStep(context, administratorId, owner.sealed, digits);
  if (step === null) return false;
  const taken = await context.db
    .update(administrators)
    .set({ totpLastStep: step })
    .where(
      and(
        eq(administrators.id, administratorId),
        isNotNull(administrators.totpSecret),
        // One far ahead was taken by a clock that was: no code of now is its again.
        or(
          isNull(administrators.totpLastStep),
          lt(administrators.totpLastStep, step),
          gt(administrators.totpLastStep, step + aheadSteps),
        ),
      ),
    )
    .returning({ id: administrators.id });
  return taken.length > 0;
}

// ── Recovery codes ─────────────────────────────────────────────────────────

const howMany = 10;
// Without what is misread: 0 and o, 1 and l and i.
const letters = '23456789abcdefghjkmnpqrstuvwxyz';

const normalCode = (code: string) => code.toLowerCase().replace(/[\s-]/g, '');
const recoveryUse = (administratorId: string) => `recovery ${administratorId}`;

export const recoveryLeft = (queries: Queries, administratorId: string): Promise<number> =>
  queries.$count(recoveryCodes, and(eq(recoveryCodes.administratorId, administratorId), isNull(recoveryCodes.usedAt)));

/** Ten new codes; the old ones are worth nothing. They are answered once and never can be again. */
export async function makeRecoveryCodes(tx: Tx, context: RequestContext, administratorId: string): Promise<string[]> {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.administratorId, administratorId));
  const codes = Array.from({ length: howMany }, newCode);
  await tx.insert(recoveryCodes).values(
    codes.map((code) => ({
      id: newId(),
      administratorId,
      codeHash: keyedHash(context.services.config, recoveryUse(administratorId), normalCode(code)),
    })),
  );
  return codes;
}

/** 50 bits, in two groups. Bytes over the last whole run of letters are thrown away, so that each letter is as likely. */
function newCode(): string {
  let code = '';
  while (code.length < 10) {
    for (const byte of randomBytes(16)) {
      if (byte < 248 && code.length < 10) code += letters[byte % letters.length];
    }
  }
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

async function takeRecoveryCode(context: RequestContext, administratorId: string, code: string): Promise<boolean> {
  const hashes = keyedHashes(context.services.config, recoveryUse(administratorId), normalCode(code));
  const taken = await context.db
    .update(recoveryCodes)
    .set({ usedAt: new Date(context.services.now()) })
    .where(
      and(
        eq(recoveryCodes.administratorId, administratorId),
        inArray(recoveryCodes.codeHash, hashes),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id });
  return taken.length > 0;
}
