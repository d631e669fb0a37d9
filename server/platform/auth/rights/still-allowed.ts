import { and, eq, isNull } from 'drizzle-orm';
import { administrators, sessions } from '../tables.ts';
import { actorOf, type RequestContext } from '../../core/context.ts';
import type { Tx } from '../../db/db.ts';

/** The request's session and person as they are now: none when either is gone. */
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

const settled = new WeakSet<Tx>();

/** Says that this transaction changes access under the lock of access, and has read its actor under it: it may take from itself. */
export const markAccessLocked = (tx: Tx): void => void settled.add(tx);
/** Says that this transaction ends its actor's own session, which stood until then: it takes no more than that. */
export const markOwnSessionEnded = (tx: Tx): void => void settled.add(tx);
/** Whether a write in this transaction has nothing more to ask of its actor when it ends. */
export const isActorSettled = (tx: Tx): boolean => settled.has(tx);
