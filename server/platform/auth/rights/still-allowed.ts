import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Permission } from '../../../../api/names.ts';
import { administrators, sessions } from '../tables.ts';
import { isBrowserOnly } from './guarded-rights.ts';
import {
  requireActor,
  requirePerson,
  type Person,
  type RequestContext,
  type ServiceActor,
  type Services,
} from '../../services/context.ts';
import { createAppError } from '../../core/errors.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { createPermissionRefusal, unknownAddress } from './role-networks.ts';

type Refusal = 'UNAUTHORIZED' | 'FORBIDDEN';

/** Null while the token may act, which holds until commit. */
export async function findTokenRefusal(
  queries: Queries,
  { now }: Services,
  { id, tokenId }: Pick<ServiceActor, 'id' | 'tokenId'>,
  permission: string | null,
): Promise<Refusal | null> {
  const currentTime = new Date(now()).toISOString();
  const { rows } = await queries.execute<{ refused: Refusal | null }>(
    sql`select token_still_allowed(${id}, ${tokenId}, ${currentTime}::timestamptz, ${permission}) as refused`,
  );
  return rows[0] ? rows[0].refused : 'UNAUTHORIZED';
}

/** Holds until commit. Throws UNAUTHORIZED or FORBIDDEN. */
export async function assertTokenStillAllowed(
  tx: Tx,
  { services }: Pick<RequestContext, 'services'>,
  actor: ServiceActor,
  permission: string | null,
): Promise<void> {
  const refused = await findTokenRefusal(tx, services, actor, permission);
  if (refused) throw createAppError(refused);
}

/** Undefined once the session or the person is gone. */
export const readCurrentActor = (tx: Tx, context: RequestContext) => {
  const { id, sessionId } = requirePerson(context);
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

/** Reads the session again, whatever the request was allowed. Throws NOT_HERE. */
export async function assertNotFromCli(tx: Tx, { sessionId }: Person, permission: string | null): Promise<void> {
  if (permission === null || !isBrowserOnly(permission)) return;
  const cliSession = and(eq(sessions.id, sessionId), eq(sessions.method, 'cli'));
  if ((await tx.$count(sessions, cliSession)) > 0) throw createAppError('NOT_HERE');
}

/** Holds until commit. Throws UNAUTHORIZED. */
export async function requireStillSignedIn(tx: Tx, { id, sessionId }: Person): Promise<void> {
  const { rows } = await tx.execute<{ refused: Refusal | null }>(
    sql`select still_allowed(${id}, ${sessionId}, null, null, true) as refused`,
  );
  if (rows[0]?.refused !== null) throw createAppError('UNAUTHORIZED');
}

/** For a further permission than the route's. Holds until commit. Throws UNAUTHORIZED, FORBIDDEN or NETWORK. */
export async function requireStillAllowed(tx: Tx, context: RequestContext, permission: Permission): Promise<void> {
  const actor = requireActor(context);
  if (actor.kind === 'service') return assertTokenStillAllowed(tx, context, actor, permission);
  await assertNotFromCli(tx, actor, permission);
  const { ip, ignoresNetworks } = actor.calledFrom ?? unknownAddress;
  const { rows } = await tx.execute<{ refused: Refusal | 'NETWORK' | null }>(
    sql`select still_allowed(${actor.id}, ${actor.sessionId}, ${permission}, ${ip}::inet, ${ignoresNetworks}) as refused`,
  );
  const refused = rows[0]?.refused;
  if (refused === 'NETWORK') throw await createPermissionRefusal(tx, actor, permission);
  if (refused) throw createAppError(refused);
}
