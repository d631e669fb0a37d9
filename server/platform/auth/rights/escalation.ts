import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Permission } from '../../../../api/names.ts';
import type { PermittedRoute, RoutePath } from '../../../../api/menu.ts';
import { administratorRoles, administrators } from '../tables.ts';
import { countAccessChange } from './access-changes.ts';
import { actorOf, permissionOf, type Actor, type RequestContext } from '../../core/context.ts';
import type { Queries, Tx } from '../../db/db.ts';
import { failure } from '../../core/errors.ts';
import { accessOf, grantedTo } from './permissions.ts';
import { markAccessLocked, presentActor } from './still-allowed.ts';

// The database's functions take it too (migrations: still_allowed, access_is_taken). The audit's chain has 4280_0003.
const accessLock = 4280_0004;

/** What it takes to manage access: whoever holds all of these can give everybody else what they need. */
export const accessKeys = {
  functions: ['administrators.edit', 'administrators.enable', 'roles.edit'],
  menus: ['/permissions/administrator', '/permissions/role'],
} as const satisfies { functions: readonly Permission[]; menus: readonly RoutePath[] };

/**
 * Call first in every write that touches administrators' roles or status, roles, or the tree: such writes go one at a
 * time, so that what is read after this stays true until the commit. Answers with the actor as they are now: whoever
 * was disabled, signed out or stripped of the route's right while waiting is refused like at the door.
 */
export async function lockAccess(tx: Tx, context: RequestContext): Promise<Actor> {
  await tx.execute(sql`select pg_advisory_xact_lock(${accessLock})`);
  const actor = actorOf(context);
  const [present] = await presentActor(tx, context);
  if (!present) throw failure('UNAUTHORIZED');
  const granted = await grantedTo(tx, actor.id);
  const permission = context.route && permissionOf(context.route.meta);
  if (permission && !granted.has(permission)) throw failure('FORBIDDEN');
  await countAccessChange(tx); // open tabs follow
  markAccessLocked(tx);
  return { ...actor, granted };
}

/** What was read of roles, rights and status after this stays true until the commit: whoever changes them waits meanwhile. */
export const holdAccess = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock_shared(${accessLock})`);

/**
 * Nobody grants more than they hold. `identifiers` is the resulting set: all that a role will grant after the edit, or
 * all that the roles given to somebody grant. Also for a tree node that takes another identifier. Throws GRANT_BEYOND_OWN.
 */
export async function assertMayGrant(tx: Tx, actor: Actor, identifiers: Iterable<string>): Promise<void> {
  const missing = lacking(await grantedTo(tx, actor.id), identifiers);
  if (missing.length > 0) throw failure('GRANT_BEYOND_OWN', { identifiers: missing });
}

/** Nobody edits, resets, disables or deletes somebody who holds what they lack. Throws HOLDS_MORE. */
export async function assertMayManage(tx: Tx, actor: Actor, administratorId: string): Promise<void> {
  const missing = lacking(await grantedTo(tx, actor.id), await grantedTo(tx, administratorId));
  if (missing.length > 0) throw failure('HOLDS_MORE', { id: administratorId, identifiers: missing });
}

/** Nobody changes their own roles or status. Throws OWN_ACCESS. */
export function assertNotSelf(actor: Actor, administratorId: string): void {
  if (actor.id === administratorId) throw failure('OWN_ACCESS');
}

/**
 * Call last: somebody who can sign in must be able to manage access as things stand in this transaction.
 * Throws LAST_ACCESS otherwise.
 */
export async function assertAccessKept(tx: Tx, { services }: Pick<RequestContext, 'services'>): Promise<void> {
  const able = await tx
    .selectDistinct({ id: administrators.id, email: administrators.email })
    .from(administrators)
    .innerJoin(administratorRoles, eq(administratorRoles.administratorId, administrators.id))
    .where(
      and(
        administrators.enabled,
        isNull(administrators.deletedAt),
        // Whoever was just added, and has chosen no password yet, may never come.
        isNull(administrators.passwordExpiresAt),
        sql`(${administrators.passwordHash} is not null or ${administrators.walletAddress} is not null)`,
        services.config.demo ? undefined : eq(administrators.demo, false),
      ),
    );
  for (const administrator of able) if (await managesAccess(tx, administrator)) return;
  throw failure('LAST_ACCESS');
}

async function managesAccess(queries: Queries, { id, email }: { id: string; email: string }): Promise<boolean> {
  const granted = await grantedTo(queries, id);
  if (lacking(granted, [...accessKeys.functions, ...accessKeys.menus]).length > 0) return false;
  // A screen moved to where no menu leads is lost as well.
  const { permittedRoutes } = await accessOf(queries, { email, granted });
  return lacking(new Set(pathsIn(permittedRoutes)), accessKeys.menus).length === 0;
}

const pathsIn = (routes: readonly PermittedRoute[]): string[] =>
  routes.flatMap(({ path, children }) => [path, ...pathsIn(children ?? [])]);

const lacking = (held: ReadonlySet<string>, asked: Iterable<string>): string[] =>
  [...new Set(asked)].filter((identifier) => !held.has(identifier)).toSorted();
