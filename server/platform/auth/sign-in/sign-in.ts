import { and, eq, isNull } from 'drizzle-orm';
import type { Access, SignInResponse } from '../../../../api/access/session.ts';
import { qaEmail } from '../qa.ts';
import { administrators, identityLinks } from '../tables.ts';
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
import { grantsGuarded, idTokenPurpose, startSession, ssoSession, type SsoSession } from './sessions.ts';
import { seal } from '../../core/encryption.ts';
import { requireSso } from '../sso/configured.ts';
import { isLinkOf, mustUseProvider } from '../sso/links.ts';
import { isLoggedOutSince } from '../sso/logout-marks.ts';
import type { VerifiedIdentity } from '../sso/provider.ts';
import { readFactorGap } from './vouching.ts';

export interface SignInAttempt {
  administratorId: string;
  method: 'password' | 'wallet' | 'sso';
  /** A later change of password, wallet or link ends the attempt. */
  proof: string;
  sso?: SsoSession | undefined;
  code?: boolean;
  factor?: boolean;
}

type Administrator = typeof administrators.$inferSelect;

export const canSignIn = ({ services: { config } }: RequestContext, { enabled, deletedAt, demo }: Administrator) =>
  enabled && deletedAt === null && (!demo || config.demo);

/** Only after the password or wallet was verified. */
export const toSignInAttempt = (administrator: Administrator, method: 'password' | 'wallet'): SignInAttempt => ({
  administratorId: administrator.id,
  method,
  proof: fingerprintProof(administrator, method),
});

/** Only after the provider's answer was verified. */
export const toSsoAttempt = (
  context: RequestContext,
  { id }: Administrator,
  link: { id: string },
  identity: VerifiedIdentity & { groups: readonly string[]; startedAt: number },
): SignInAttempt => {
  const { config } = context.services;
  const sso = requireSso({ config });
  return {
    administratorId: id,
    method: 'sso',
    proof: hashSecret(link.id),
    sso: {
      linkId: link.id,
      idpSession: identity.sessionId,
      ssoAt: toSsoAt(context, identity)?.toISOString() ?? null,
      idToken: sso.logout ? seal(config, idTokenPurpose(link.id), identity.idToken) : null,
      acr: identity.acr,
      amr: identity.amr,
      groups: [...identity.groups],
      startedAt: identity.startedAt,
      authenticatedAt: identity.authenticatedAt,
    },
  };
};

/** On the panel's clock, which QA may have moved. */
export const toSsoAt = (
  { services }: RequestContext,
  { authenticatedAt }: Pick<VerifiedIdentity, 'authenticatedAt'>,
): Date | null => (authenticatedAt === null ? null : new Date(services.now() - Math.max(0, Date.now() - authenticatedAt)));

const fingerprintProof = ({ passwordHash, walletAddress }: Administrator, method: 'password' | 'wallet'): string =>
  hashSecret((method === 'password' ? passwordHash : walletAddress) ?? '');

/** Whether password, wallet or link are still those of the attempt. */
async function isProofCurrent(queries: Queries, context: RequestContext, administrator: Administrator, attempt: SignInAttempt) {
  const { method, proof, sso } = attempt;
  if (method !== 'sso') {
    const isAllowed = !(await mustUseProvider(queries, context, administrator.id));
    return isAllowed && fingerprintProof(administrator, method) === proof;
  }
  return (
    sso !== undefined && hashSecret(sso.linkId) === proof && (await isLinkOf(queries, context, administrator.id, sso.linkId))
  );
}

/** The provider's logout token wins over a sign-in that started before it. */
async function isLoggedOutMeanwhile(tx: Tx, { services }: RequestContext, sso: SsoSession): Promise<boolean> {
  const [link] = await tx.select().from(identityLinks).where(eq(identityLinks.id, sso.linkId));
  if (!link) return true;
  const loggedOut = { issuer: link.issuer, subjects: [link.subject], idpSession: sso.idpSession };
  return isLoggedOutSince(tx, loggedOut, sso, services.now());
}

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
    // Under the lock: a replaced password, wallet or link is refused.
    if (!administrator || !(await isProofCurrent(tx, context, administrator, attempt))) throw createAppError('SIGN_IN_FAILED');
    if (attempt.sso && (await isLoggedOutMeanwhile(tx, context, attempt.sso))) throw createAppError('ATTEMPT_GONE');
    const nextStepResult = await determineNextStep(tx, context, attempt);
    if (nextStepResult) {
      const preSessionId = ensurePreSession(context, !attempt.code && !attempt.factor);
      await storeChallenge(tx, context, { purpose: 'signIn', browser: preSessionId, administratorId }, JSON.stringify(attempt));
      return nextStepResult;
    }
    const session = await startSession(tx, context, administratorId, {
      method: attempt.method,
      factor: attempt.factor === true,
      ...(attempt.sso && { sso: attempt.sso }),
    });
    await rememberBrowser(tx, context, administratorId);
    endPreSession(context);
    const mustSetPassword = administrator.passwordExpiresAt !== null;
    const person = await buildSignedInPerson(tx, context, administrator, session);
    const granted = await readGrantedIdentifiers(tx, administratorId, person.calledFrom);
    const factorGap = await readFactorGap(tx, administratorId);
    const hasCompleteFactor = factorGap === null && (await hasFactor(tx, administratorId));
    const mustEnroll =
      (!hasCompleteFactor && (await needsFactor(tx, administratorId))) || (factorGap !== null && grantsGuarded(granted));
    const actor: Person = {
      ...person,
      granted: mustSetPassword || mustEnroll ? new Set<string>() : granted,
      ...(mustSetPassword && { mustSetPassword }),
      ...(mustEnroll && { mustEnroll }),
      ...(factorGap && { factorGap }),
    };
    await recordAudit(tx, { ...context, actor }, [
      {
        entity: 'session',
        id: session.id,
        action: 'signIn',
        ...(attempt.sso && {
          after: {
            method: attempt.method,
            issuer: context.services.config.sso?.issuer,
            link: attempt.sso.linkId,
            acr: attempt.sso.acr,
            amr: attempt.sso.amr,
            ...(attempt.sso.groups.length > 0 && { groups: attempt.sso.groups }),
          },
        }),
      },
    ]);
    return { authorization: session.authorization, access: await readAccess(tx, context.services, actor) };
  });
}

/** Of a session that has just begun, without what the person may do. */
export async function buildSignedInPerson(
  queries: Queries,
  context: RequestContext,
  { id, email }: Pick<Administrator, 'id' | 'email'>,
  { id: sessionId, expiresAt, idleMs }: { id: string; expiresAt: Date; idleMs: number },
) {
  const calledFrom = readCallerAddress(context);
  const inactiveRoles = await readInactiveRoles(queries, id, calledFrom);
  return { kind: 'person' as const, id, email, sessionId, expiresAt, idleMs, calledFrom, inactiveRoles };
}

/** Throws ATTEMPT_GONE. */
export async function readSignInAttempt(context: RequestContext): Promise<SignInAttempt & { browser: string; email: string }> {
  const preSessionId = readPreSession(context);
  const storedChallenge = preSessionId === null ? null : await readChallenge(context, 'signIn', preSessionId);
  if (preSessionId === null || !storedChallenge?.administratorId) throw createAppError('ATTEMPT_GONE');
  const [administrator] = await enabledAdministratorQuery(context.db, context, storedChallenge.administratorId);
  const parsedMessage: unknown = JSON.parse(storedChallenge.message);
  const attemptFields = isRecord(parsedMessage) ? parsedMessage : {};
  const sso = ssoSession.safeParse(attemptFields['sso']);
  const attempt: SignInAttempt | null =
    administrator === undefined
      ? null
      : attemptFields['method'] === 'sso'
        ? { administratorId: administrator.id, method: 'sso', proof: String(attemptFields['proof']), sso: sso.data }
        : toSignInAttempt(administrator, attemptFields['method'] === 'wallet' ? 'wallet' : 'password');
  const isCurrent =
    attempt !== null &&
    attempt.proof === attemptFields['proof'] &&
    administrator !== undefined &&
    (await isProofCurrent(context.db, context, administrator, attempt));
  if (!isCurrent) throw createAppError('ATTEMPT_GONE');
  return {
    ...attempt,
    email: administrator.email,
    code: attemptFields['code'] === true,
    factor: attemptFields['factor'] === true,
    browser: preSessionId,
  };
}

/** Only one of two calls succeeds. */
export function continueSignIn(
  context: RequestContext,
  { browser, administratorId, method, proof, code, factor, sso }: SignInAttempt & { browser: string },
  runEffects: (tx: Tx) => Promise<void> = async () => {},
): Promise<SignInResponse> {
  const attempt = { administratorId, method, proof, code: code === true, factor: factor === true, sso };
  return signInOrChallenge(context, attempt, async (tx) => {
    if (!(await consumeChallenge(tx, context, 'signIn', browser))) throw createAppError('ATTEMPT_GONE');
    await runEffects(tx);
  });
}

async function determineNextStep(
  queries: Queries,
  context: RequestContext,
  { administratorId, code, factor, method }: SignInAttempt,
): Promise<Exclude<SignInResponse, { authorization: string }> | null> {
  // The operator of the provider may also run the mail server, so an emailed code would prove nothing.
  const isNew =
    method !== 'sso' &&
    context.services.config.newBrowserCode &&
    !code &&
    (await isKnownBrowser(queries, context, administratorId)) === null;
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
