import { and, eq, isNull } from 'drizzle-orm';
import { administrators, sessions } from '../tables.ts';
import { actorOf, type RequestContext } from '../../services/context.ts';
import type { Tx } from '../../db/db.ts';

/** Undefined once the session or the person is gone. */
export const presentActor = (tx: Tx, context: RequestContext) => {
  const { id, sessionId } = actorOf(context);
  return tx
    .select({ id: administrators.id })
    .from(administrators)
    .innerJoin(sessions, eq(sessions.administratorId, administrators.id))
    .where(
      and(
        eq(administrators.id, id),
        administrators.enabled,
        isNull(administrators.deletedAt),
        eq(sessions.id, sessionId),
        isNull(sessions.revokedAt),
      ),
    );
};

const settledTransactions = new WeakSet<Tx>();

/** The transaction read its actor under the access lock and may remove their access. */
export const markAccessLocked = (tx: Tx): void => void settledTransactions.add(tx);
/** The transaction ends the actor's own session. */
export const markOwnSessionEnded = (tx: Tx): void => void settledTransactions.add(tx);
/** Needs no permission check at its end. */
export const isActorSettled = (tx: Tx): boolean => settledTransactions.has(tx);
