import { eq } from 'drizzle-orm';
import { sessions } from '../tables.ts';
import { actorOf, type RequestContext } from './context.ts';
import { failure } from './errors.ts';
import { hasFactor, takeFactor } from './factors.ts';
import type { FactorShown } from '../../api/session.ts';

/** How long a second factor counts as just shown. */
export const freshMs = 5 * 60_000;

/**
 * For what moves money or changes how somebody signs in: throws FACTOR_STALE unless a second factor was shown in this
 * session in the last five minutes. Who has none is let through; roles can require one (`roles.needsFactor`).
 */
export async function requireFreshFactor(context: RequestContext): Promise<void> {
  const { id, sessionId } = actorOf(context);
  const [own] = await context.db.select({ factorAt: sessions.factorAt }).from(sessions).where(eq(sessions.id, sessionId));
  const age = own?.factorAt ? context.services.now() - own.factorAt.getTime() : Infinity;
  if (age >= 0 && age < freshMs) return;
  if (await hasFactor(context.db, id)) throw failure('FACTOR_STALE');
}

/** Takes a second factor and notes in the session that it was shown now. */
export async function confirmFactor(context: RequestContext, shown: FactorShown): Promise<void> {
  const { id, sessionId } = actorOf(context);
  await takeFactor(context, id, shown, sessionId);
  await context.db
    .update(sessions)
    .set({ factorAt: new Date(context.services.now()) })
    .where(eq(sessions.id, sessionId));
}
