import { and, eq, isNotNull } from 'drizzle-orm';
import { administrators, sessions } from './tables.ts';
import { requirePerson, type QueryContext, type RequestContext } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { badField, appError } from '../core/errors.ts';
import { hasFactor, consumeFactor } from './sign-in/factors.ts';
import { isPassword } from './sign-in/password.ts';
import { recordingRefusal, notifyingOwner } from './sign-in/wrong-guesses.ts';
import { countAttempt } from '../http/rate-limit.ts';
import type { ProofShown } from '../../../api/access/session.ts';

export const maxFactorAgeMs = 5 * 60_000;

/**
 * For money, permissions, publishing and sign-in methods. Throws FACTOR_STALE unless a factor was confirmed in the last five
 * minutes, and FACTOR_REQUIRED without a factor. Demo accounts need none outside production.
 */
export async function requireFreshFactor(context: QueryContext): Promise<void> {
  const { id } = requirePerson(context);
  if (await hasFactor(context.db, id)) {
    if (isFresh(context, (await shownHere(context))?.factorAt)) return;
    throw appError('FACTOR_STALE');
  }
  const [own] = await context.db.select({ demo: administrators.demo }).from(administrators).where(eq(administrators.id, id));
  if (!own?.demo || context.services.config.production) throw appError('FACTOR_REQUIRED');
}

/**
 * For one's own sign-in methods. Without a factor the password must be fresh, or a passer-by could add their own factor. Without
 * a password the sign-in itself must be fresh.
 */
export async function requireFreshProof(context: RequestContext): Promise<void> {
  const { id } = requirePerson(context);
  const shown = await shownHere(context);
  if (isFresh(context, shown?.factorAt)) return;
  if (await hasFactor(context.db, id)) throw appError('FACTOR_STALE');
  const shownAt = (await hasPassword(context.db, id)) ? shown?.passwordAt : shown?.createdAt;
  if (!isFresh(context, shownAt)) throw appError('FACTOR_STALE');
}

export async function hasPassword(queries: Queries, administratorId: string): Promise<boolean> {
  const withPassword = and(eq(administrators.id, administratorId), isNotNull(administrators.passwordHash));
  return (await queries.$count(administrators, withPassword)) > 0;
}

async function shownHere(context: QueryContext) {
  const { factorAt, passwordAt, createdAt } = sessions;
  const { sessionId } = requirePerson(context);
  const [own] = await context.db.select({ factorAt, passwordAt, createdAt }).from(sessions).where(eq(sessions.id, sessionId));
  return own;
}

function isFresh({ services }: QueryContext, shownAt: Date | null | undefined): boolean {
  const age = shownAt ? services.now() - shownAt.getTime() : Infinity;
  return age >= 0 && age < maxFactorAgeMs;
}

/** Wrong ones are audited and mailed to the owner. */
export async function confirmSelf(context: RequestContext, shown: ProofShown): Promise<void> {
  const actor = requirePerson(context);
  const { id, sessionId } = actor;
  const consumed =
    shown.method === 'password' ? verifyPassword(context, shown.value) : consumeFactor(context, id, shown, sessionId);
  await consumed.catch(notifyingOwner(context, actor, 'step')).catch(recordingRefusal(context, actor));
  const at = new Date(context.services.now());
  await context.db
    .update(sessions)
    .set(shown.method === 'password' ? { passwordAt: at } : { factorAt: at })
    .where(eq(sessions.id, sessionId));
}

async function verifyPassword(context: RequestContext, password: string): Promise<void> {
  const { id } = requirePerson(context);
  const attempt = await countAttempt(context.services, `password ${id}`, context.ip);
  const [own] = await context.db.select().from(administrators).where(eq(administrators.id, id));
  if (!(await isPassword(own?.passwordHash ?? null, password))) throw badField('value');
  await attempt.succeed(context.db);
}
