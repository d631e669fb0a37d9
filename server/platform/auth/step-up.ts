import { eq } from 'drizzle-orm';
import { administrators, sessions } from './tables.ts';
import { actorOf, type QueryContext, type RequestContext } from '../services/context.ts';
import { badField, appError } from '../core/errors.ts';
import { hasFactor, consumeFactor } from './sign-in/factors.ts';
import { isPassword } from './sign-in/password.ts';
import { recordingRefusal, notifyingOwner } from './sign-in/wrong-guesses.ts';
import { countAttempt } from '../http/rate-limit.ts';
import type { ProofShown } from '../../../api/access/session.ts';

export const maxFactorAgeMs = 5 * 60_000;

/**
 * For permissions and sign-in methods. Throws FACTOR_STALE without a factor in the last five minutes. Passes people who have none, because
 * roles can require one.
 */
export async function requireFreshFactor(context: QueryContext): Promise<void> {
  if (isFresh(context, (await shownHere(context))?.factorAt)) return;
  if (await hasFactor(context.db, actorOf(context).id)) throw appError('FACTOR_STALE');
}

/** For money. Without a factor FACTOR_REQUIRED, except for demo accounts. */
export async function requireMoneyFactor(context: RequestContext): Promise<void> {
  const { id } = actorOf(context);
  if (await hasFactor(context.db, id)) return requireFreshFactor(context);
  const [own] = await context.db.select({ demo: administrators.demo }).from(administrators).where(eq(administrators.id, id));
  if (!own?.demo || context.services.config.production) throw appError('FACTOR_REQUIRED');
}

/** For one's own sign-in methods. Without a factor the password must be fresh, or a passer-by could add their own factor. */
export async function requireFreshProof(context: RequestContext): Promise<void> {
  const shown = await shownHere(context);
  if (isFresh(context, shown?.factorAt)) return;
  const isShown = isFresh(context, shown?.passwordAt) && !(await hasFactor(context.db, actorOf(context).id));
  if (!isShown) throw appError('FACTOR_STALE');
}

async function shownHere(context: QueryContext) {
  const { factorAt, passwordAt } = sessions;
  const { sessionId } = actorOf(context);
  const [own] = await context.db.select({ factorAt, passwordAt }).from(sessions).where(eq(sessions.id, sessionId));
  return own;
}

function isFresh({ services }: QueryContext, shownAt: Date | null | undefined): boolean {
  const age = shownAt ? services.now() - shownAt.getTime() : Infinity;
  return age >= 0 && age < maxFactorAgeMs;
}

/** Wrong ones are audited and mailed to the owner. */
export async function confirmSelf(context: RequestContext, shown: ProofShown): Promise<void> {
  const actor = actorOf(context);
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
  const { id } = actorOf(context);
  const attempt = await countAttempt(context.services, `password ${id}`, context.ip);
  const [own] = await context.db.select().from(administrators).where(eq(administrators.id, id));
  if (!(await isPassword(own?.passwordHash ?? null, password))) throw badField('value');
  await attempt.succeed(context.db);
}
