import { and, eq, isNull } from 'drizzle-orm';
import type { Access, SignInResponse } from '../../../../api/access/session.ts';
import { qaEmail } from '../qa.ts';
import { administrators } from '../tables.ts';
import { recordAudit } from '../../audit/audit.ts';
import { consumeChallenge, readChallenge, storeChallenge } from './challenges.ts';
import type { Actor, Person, RequestContext, Services } from '../../services/context.ts';
import { endPreSession, hashSecret, ensurePreSession, readPreSession } from '../../http/cookies.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { createAppError, isRecord } from '../../core/errors.ts';
import { readFactorMethods, hasFactor, needsFactor } from './factors.ts';
import { isKnownBrowser, rememberBrowser } from './known-browsers.ts';
import { buildAccess, readGrantedIdentifiers } from '../rights/permissions.ts';
import { lockAccessShared } from '../rights/escalation.ts';
import { readCallerAddress, readInactiveRoles } from '../rights/role-networks.ts';
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

export const canSignIn = ({ services: { config } }: RequestContext, { enabled, deletedAt, demo }: Administrator) =>
  enabled && deletedAt === null && (!demo || config.demo);

/** Only after the password or wallet was verified. */
export const toSignInAttempt = (administrator: Administrator, method: SignInAttempt['method']): SignInAttempt => ({
  administratorId: administrator.id,
  method,
  proof: fingerprintProof(administrator, method),
});

const fingerprintProof = ({ passwordHash, walletAddress }: Administrator, method: SignInAttempt['method']): string =>
  hashSecret((method === 'password' ? passwordHash : walletAddress) ?? '');

/** Starts a session, or keeps the attempt for ten minutes in this browser. `runEffects` commit with it. */
export async function signInOrChallenge(
  context: RequestContext,
  attempt: SignInAttempt,
  runEffects: (tx: Tx) => Promise<void> = async () => {},
): Promise<SignInResponse> {
  const { administratorId } = attempt;
  return context.db.transaction(async (tx) => {
    await lockAccessShared(tx);
    await runEffects(tx);
    // Serializes with other sign-ins and factor changes of the account.
    const [administrator] = await enabledAdministratorQuery(tx, context, administratorId).for('no key update');
    // Under the lock: a replaced password or wallet is refused.
    if (!administrator || fingerprintProof(administrator, attempt.method) !== attempt.proof)
      throw createAppError('SIGN_IN_FAILED');
    const nextStepResult = await determineNextStep(tx, context, attempt);
    if (nextStepResult) {
      const preSessionId = ensurePreSession(context, !attempt.code && !attempt.factor);
      await storeChallenge(tx, context, { purpose: 'signIn', browser: preSessionId, administratorId }, JSON.stringify(attempt));
      return nextStepResult;
    }
    const { id, authorization, expiresAt, idleMs } = await startSession(tx, context, administratorId, {
      method: attempt.method,
      factor: attempt.factor === true,
    });
    await rememberBrowser(tx, context, administratorId);
    endPreSession(context);
    const mustSetPassword = administrator.passwordExpiresAt !== null;
    const mustEnroll = (await needsFactor(tx, administratorId)) && !(await hasFactor(tx, administratorId));
    const calledFrom = readCallerAddress(context);
    const actor: Person = {
      kind: 'person',
      id: administratorId,
      email: administrator.email,
      sessionId: id,
      expiresAt,
      idleMs,
      calledFrom,
      inactiveRoles: await readInactiveRoles(tx, administratorId, calledFrom),
      granted: mustSetPassword || mustEnroll ? new Set<string>() : await readGrantedIdentifiers(tx, administratorId, calledFrom),
      ...(mustSetPassword && { mustSetPassword }),
      ...(mustEnroll && { mustEnroll }),
    };
    await recordAudit(tx, { ...context, actor }, [{ entity: 'session', id, action: 'signIn' }]);
    return { authorization, access: await readAccess(tx, context.services, actor) };
  });
}

/** Throws ATTEMPT_GONE. */
export async function readSignInAttempt(context: RequestContext): Promise<SignInAttempt & { browser: string; email: string }> {
  const preSessionId = readPreSession(context);
  const storedChallenge = preSessionId === null ? null : await readChallenge(context, 'signIn', preSessionId);
  if (preSessionId === null || !storedChallenge?.administratorId) throw createAppError('ATTEMPT_GONE');
  const [administrator] = await enabledAdministratorQuery(context.db, context, storedChallenge.administratorId);
  const parsedMessage: unknown = JSON.parse(storedChallenge.message);
  const attemptFields = isRecord(parsedMessage) ? parsedMessage : {};
  const method = attemptFields['method'] === 'wallet' ? 'wallet' : 'password';
  if (!administrator || attemptFields['proof'] !== fingerprintProof(administrator, method)) throw createAppError('ATTEMPT_GONE');
  return {
    ...toSignInAttempt(administrator, method),
    email: administrator.email,
    code: attemptFields['code'] === true,
    factor: attemptFields['factor'] === true,
    browser: preSessionId,
  };
}

/** Only one of two calls succeeds. */
export function continueSignIn(
  context: RequestContext,
  { browser, administratorId, method, proof, code, factor }: SignInAttempt & { browser: string },
  runEffects: (tx: Tx) => Promise<void> = async () => {},
): Promise<SignInResponse> {
  const attempt = { administratorId, method, proof, code: code === true, factor: factor === true };
  return signInOrChallenge(context, attempt, async (tx) => {
    if (!(await consumeChallenge(tx, context, 'signIn', browser))) throw createAppError('ATTEMPT_GONE');
    await runEffects(tx);
  });
}

async function determineNextStep(
  queries: Queries,
  context: RequestContext,
  { administratorId, code, factor }: SignInAttempt,
): Promise<Exclude<SignInResponse, { authorization: string }> | null> {
  const isNew =
    context.services.config.newBrowserCode && !code && (await isKnownBrowser(queries, context, administratorId)) === null;
  if (isNew) return { step: 'code' };
  if (factor) return null;
  const factorMethods = await readFactorMethods(queries, administratorId);
  return factorMethods.length > 0 ? { step: 'factor', methods: factorMethods } : null;
}

const enabledAdministratorQuery = (queries: Queries, { services: { config } }: RequestContext, id: string) =>
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
  const access = await buildAccess(queries, actor);
  if (actor.kind === 'service') return access;
  return {
    ...access,
    ...(actor.mustSetPassword ? { passwordNeeded: true } : {}),
    ...(actor.mustEnroll ? { factorNeeded: true } : {}),
    ...(actor.browserRights ? { browserOnly: [...actor.browserRights].toSorted().map((code) => ({ code })) } : {}),
    ...(config.demoNews && actor.email === qaEmail ? { expert: true as const } : {}),
    ...(actor.inactiveRoles?.length ? { inactiveRoles: [...actor.inactiveRoles] } : {}),
    ...(actor.expiresAt
      ? {
          expiry: {
            idleSeconds: Math.round((actor.idleMs ?? config.sessionIdleMs) / 1000),
            expiresAt: actor.expiresAt.toISOString(),
          },
        }
      : {}),
  };
}
