import { and, eq, isNull } from 'drizzle-orm';
import { administratorRoles, administrators, permissionNodes, roleNodes, roles, sessions } from '../tables.ts';
import { actorOf, permissionOf, type RequestContext } from '../../core/context.ts';
import type { Tx } from '../../db/db.ts';
import { failure } from '../../core/errors.ts';

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

/**
 * At the end of a write: who acts is still signed in, enabled and holds the route's right, as at the door. Whatever would take
 * that away waits from here to the commit, and what is under way is waited for. Throws UNAUTHORIZED or FORBIDDEN.
 */
export async function requireStillAllowed(tx: Tx, context: RequestContext): Promise<void> {
  const permission = context.route && permissionOf(context.route.meta);
  if (!permission) return;
  if ((await presentActor(tx, context).for('share')).length === 0) throw failure('UNAUTHORIZED');
  const { id } = actorOf(context);
  // Roles are given anew and granted anew by edits that change the person's row, or the role's, first: so each is read after it is held.
  await tx
    .select({ id: roles.id })
    .from(administratorRoles)
    .innerJoin(roles, eq(roles.id, administratorRoles.roleId))
    .where(eq(administratorRoles.administratorId, id))
    .for('share', { of: roles });
  const granting = await tx
    .select({ id: permissionNodes.id })
    .from(administratorRoles)
    .innerJoin(roleNodes, eq(roleNodes.roleId, administratorRoles.roleId))
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(and(eq(administratorRoles.administratorId, id), eq(permissionNodes.identifier, permission)))
    .for('share');
  if (granting.length === 0) throw failure('FORBIDDEN');
}

const locked = new WeakSet<Tx>();

/** Says that this transaction changes access under the lock of access, and has read its actor under it: it may take from itself. */
export const markAccessLocked = (tx: Tx): void => void locked.add(tx);
export const isAccessLocked = (tx: Tx): boolean => locked.has(tx);
