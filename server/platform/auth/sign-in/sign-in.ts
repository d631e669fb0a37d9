import { and, eq, isNull } from 'drizzle-orm';
import type { Access, SignInAnswer } from '../../../../api/access/session.ts';
import { qaEmail } from '../qa.ts';
import { administrators } from '../tables.ts';
import { recordAudit } from '../../audit/audit.ts';
import { burnChallenge, peekChallenge, putChallenge } from './challenges.ts';
import type { Actor, Person, RequestContext, Services } from '../../services/context.ts';
import { endPreSession, fingerprint, preSession, readPreSession } from '../../http/cookies.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { appError, isRecord } from '../../core/errors.ts';
import { factorMethodsOf, hasFactor, needsFactor } from './factors.ts';
import { knownBrowser, rememberBrowser } from './known-browsers.ts';
import { accessOf, grantedTo } from '../rights/permissions.ts';
import { startSession } from './sessions.ts';

export interface SignInAttempt {
  administratorId: string;
  method: 'password' | 'wallet';
  /** A later change of password or wallet ends the attempt. */
  proof: string;
  code?: boolean;
  factor?: boolean;
}

type Administrator = typeof administrators.$inferSelect;

export const maySignIn = ({ services: { config } }: RequestContext, { enabled, deletedAt, demo }: Administrator) =>
  enabled && deletedAt === null && (!demo || config.demo);

/** Only after the password or wallet was verified. */
export const toSignInAttempt = (administrator: Administrator, method: SignInAttempt['method']): SignInAttempt => ({
  administratorId: administrator.id,
  method,
  proof: proofOf(administrator, method),
});

const proofOf = ({ passwordHash, walletAddress }: Administrator, method: SignInAttempt['method']): string =>
  fingerprint((method === 'password' ? passwordHash : walletAddress) ?? '');

/** Starts a session, or keeps the attempt for ten minutes in this browser. `effects` commit with it. */
export async function signInOrChallenge(
  context: RequestContext,
  attempt: SignInAttempt,
  effects: (tx: Tx) => Promise<void> = async () => {},
): Promise<SignInAnswer> {
  const { administratorId } = attempt;
  return context.db.transaction(async (tx) => {
    await effects(tx);
    // Serializes with other sign-ins and factor changes of the account.
    const [administrator] = await enabled(tx, context, administratorId).for('no key update');
    // Under the lock: a replaced password or wallet is refused.
    if (!administrator || proofOf(administrator, attempt.method) !== attempt.proof) throw appError('SIGN_IN_FAILED');
    const step = await nextStep(tx, context, attempt);
    if (step) {
      const browser = preSession(context, !attempt.code && !attempt.factor);
      await putChallenge(tx, context, { purpose: 'signIn', browser, administratorId }, JSON.stringify(attempt));
      return step;
    }
    const { id, authorization, expiresAt } = await startSession(tx, context, administratorId, {
      method: attempt.method,
      factor: attempt.factor === true,
    });
    await rememberBrowser(tx, context, administratorId);
    endPreSession(context);
    const mustSetPassword = administrator.passwordExpiresAt !== null;
    const mustEnroll = (await needsFactor(tx, administratorId)) && !(await hasFactor(tx, administratorId));
    const actor: Person = {
      kind: 'person',
      id: administratorId,
      email: administrator.email,
      sessionId: id,
      expiresAt,
      granted: mustSetPassword || mustEnroll ? new Set<string>() : await grantedTo(tx, administratorId),
      ...(mustSetPassword && { mustSetPassword }),
      ...(mustEnroll && { mustEnroll }),
    };
    await recordAudit(tx, { ...context, actor }, [{ entity: 'session', id, action: 'signIn' }]);
    return { authorization, access: await readAccess(tx, context.services, actor) };
  });
}

/** Throws ATTEMPT_GONE. */
export async function readSignInAttempt(context: RequestContext): Promise<SignInAttempt & { browser: string; email: string }> {
  const browser = readPreSession(context);
  const found = browser === null ? null : await peekChallenge(context, 'signIn', browser);
  if (browser === null || !found?.administratorId) throw appError('ATTEMPT_GONE');
  const [administrator] = await enabled(context.db, context, found.administratorId);
  const parsed: unknown = JSON.parse(found.message);
  const shown = isRecord(parsed) ? parsed : {};
  const method = shown['method'] === 'wallet' ? 'wallet' : 'password';
  if (!administrator || shown['proof'] !== proofOf(administrator, method)) throw appError('ATTEMPT_GONE');
  return {
    ...toSignInAttempt(administrator, method),
    email: administrator.email,
    code: shown['code'] === true,
    factor: shown['factor'] === true,
    browser,
  };
}

/** Only one of two calls succeeds. */
export function continueSignIn(
  context: RequestContext,
  { browser, administratorId, method, proof, code, factor }: SignInAttempt & { browser: string },
  effects: (tx: Tx) => Promise<void> = async () => {},
): Promise<SignInAnswer> {
  const attempt = { administratorId, method, proof, code: code === true, factor: factor === true };
  return signInOrChallenge(context, attempt, async (tx) => {
    if (!(await burnChallenge(tx, context, 'signIn', browser))) throw appError('ATTEMPT_GONE');
    await effects(tx);
  });
}

async function nextStep(
  queries: Queries,
  context: RequestContext,
  { administratorId, code, factor }: SignInAttempt,
): Promise<Exclude<SignInAnswer, { authorization: string }> | null> {
  const isNew =
    context.services.config.newBrowserCode && !code && (await knownBrowser(queries, context, administratorId)) === null;
  if (isNew) return { step: 'code' };
  if (factor) return null;
  const methods = await factorMethodsOf(queries, administratorId);
  return methods.length > 0 ? { step: 'factor', methods } : null;
}

const enabled = (queries: Queries, { services: { config } }: RequestContext, id: string) =>
  queries
    .select()
    .from(administrators)
    .where(
      and(
        eq(administrators.id, id),
        eq(administrators.enabled, true),
        isNull(administrators.deletedAt),
        config.demo ? undefined : eq(administrators.demo, false),
      ),
    );

export async function readAccess(queries: Queries, { config }: Services, actor: Actor): Promise<Access> {
  const access = await accessOf(queries, actor);
  if (actor.kind === 'service') return access;
  return {
    ...access,
    ...(actor.mustSetPassword ? { passwordNeeded: true } : {}),
    ...(actor.mustEnroll ? { factorNeeded: true } : {}),
    ...(config.demoNews && actor.email === qaEmail ? { expert: true as const } : {}),
    ...(actor.expiresAt
      ? { expiry: { idleSeconds: Math.round(config.sessionIdleMs / 1000), expiresAt: actor.expiresAt.toISOString() } }
      : {}),
  };
}
