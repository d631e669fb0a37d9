import { and, eq, isNotNull } from 'drizzle-orm';
import { administrators, sessions } from './tables.ts';
import { requirePerson, type Person, type QueryContext, type RequestContext } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { createFieldError, createAppError } from '../core/errors.ts';
import { hasFactor, consumeFactor } from './sign-in/factors.ts';
import { hasLink } from './sso/links.ts';
import { isPassword } from './sign-in/password.ts';
import { recordRefusalOf, notifyOwnerOnFailure } from './sign-in/wrong-guesses.ts';
import { countAttempt } from '../http/rate-limit.ts';
import type { IdentityProof } from '../../../api/access/session.ts';

export const maxFactorAgeMs = 5 * 60_000;

/**
 * For money, permissions and publishing. Throws FACTOR_STALE unless a factor was confirmed in the last five minutes, and
 * FACTOR_REQUIRED without a factor that is vouched for. Demo accounts need none outside production.
 */
export async function requireFreshFactor(context: QueryContext): Promise<void> {
  const actor = requireBrowser(context);
  if (actor.factorGap) throw factorRequired(actor);
  await requireFreshFactorOfOwner(context);
}

export const factorRequired = ({ factorGap }: Person) =>
  createAppError('FACTOR_REQUIRED', factorGap === 'VOUCH' ? { reason: factorGap } : undefined);

/** For one's own sign-in methods, which an unvouched factor may change. */
export async function requireFreshFactorOfOwner(context: QueryContext): Promise<void> {
  const { id } = requireBrowser(context);
  if (await hasFactor(context.db, id)) {
    if (isFresh(context, (await readProofTimes(context))?.factorAt)) return;
    throw createAppError('FACTOR_STALE');
  }
  const [currentRow] = await context.db
    .select({ demo: administrators.demo })
    .from(administrators)
    .where(eq(administrators.id, id));
  if (!currentRow?.demo || context.services.config.production) throw createAppError('FACTOR_REQUIRED');
}

/**
 * For one's own sign-in methods. Without a factor the password must be fresh, or a passer-by could add their own factor. Without
 * a password the sign-in itself must be fresh, and of a linked account the sign-in at the provider.
 */
export async function requireFreshProof(context: RequestContext): Promise<void> {
  const { id } = requireBrowser(context);
  const proofTimes = await readProofTimes(context);
  if (isFresh(context, proofTimes?.factorAt)) return;
  if (await hasFactor(context.db, id)) throw createAppError('FACTOR_STALE');
  const provenAt = (await hasPassword(context.db, id))
    ? proofTimes?.passwordAt
    : (await hasLink(context.db, context, id))
      ? proofTimes?.ssoAt
      : proofTimes?.createdAt;
  if (!isFresh(context, provenAt)) throw createAppError('FACTOR_STALE');
}

/** A CLI session never proves who is there. Throws NOT_HERE. */
function requireBrowser(context: Pick<RequestContext, 'actor'>): Person {
  const actor = requirePerson(context);
  if (actor.browserRights) throw createAppError('NOT_HERE');
  return actor;
}

export async function hasPassword(queries: Queries, administratorId: string): Promise<boolean> {
  const withPassword = and(eq(administrators.id, administratorId), isNotNull(administrators.passwordHash));
  return (await queries.$count(administrators, withPassword)) > 0;
}

async function readProofTimes(context: QueryContext) {
  const { factorAt, passwordAt, ssoAt, createdAt } = sessions;
  const { sessionId } = requirePerson(context);
  const [currentRow] = await context.db
    .select({ factorAt, passwordAt, ssoAt, createdAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId));
  return currentRow;
}

function isFresh({ services }: QueryContext, provenAt: Date | null | undefined): boolean {
  const ageMs = provenAt ? services.now() - provenAt.getTime() : Infinity;
  return ageMs >= 0 && ageMs < maxFactorAgeMs;
}

/** Wrong ones are audited and mailed to the owner. */
export async function confirmIdentity(context: RequestContext, identityProof: IdentityProof): Promise<void> {
  const actor = requirePerson(context);
  const { id, sessionId } = actor;
  const consumeProof =
    identityProof.method === 'password'
      ? verifyPassword(context, identityProof.value)
      : consumeFactor(context, id, identityProof, sessionId);
  await consumeProof.catch(notifyOwnerOnFailure(context, actor, 'step')).catch(recordRefusalOf(context, actor));
  const currentTime = new Date(context.services.now());
  await context.db
    .update(sessions)
    .set(identityProof.method === 'password' ? { passwordAt: currentTime } : { factorAt: currentTime })
    .where(eq(sessions.id, sessionId));
}

async function verifyPassword(context: RequestContext, password: string): Promise<void> {
  const { id } = requirePerson(context);
  const countedAttempt = await countAttempt(context.services, `password ${id}`, context.ip);
  const [currentRow] = await context.db.select().from(administrators).where(eq(administrators.id, id));
  if (!(await isPassword(currentRow?.passwordHash ?? null, password))) throw createFieldError('value');
  await countedAttempt.succeed(context.db);
}
