import { eq } from 'drizzle-orm';
import type { ViewedAccess } from '../../../api/access/session.ts';
import { viewAsHeader } from '../../../api/access/view-as.ts';
import { permissionNodes, roleNodes } from './tables.ts';
import type { CalledRoute, Person, RequestContext } from '../services/context.ts';
import type { Queries } from '../db/db.ts';
import { createFieldError, createAppError } from '../core/errors.ts';
import { anyAddress } from './rights/role-networks.ts';
import { buildAccess, readGrantedIdentifiers } from './rights/permissions.ts';

/** Routes of everyone who is signed in that change nothing. */
const alwaysReadable: ReadonlySet<string> = new Set([
  'GET /api/events',
  'account.get',
  'chain.get',
  'dataPanel.freeze',
  'views.list',
  'authority.names',
  'authority.people',
  'crsm.call',
]);

const viewAsPattern = /^(role|administrator):([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/**
 * The actor with only those permissions that the viewed role or person has too. The client asks for it, so it can only take
 * permissions away. Throws VIEW_ONLY for a route that could change something.
 */
export async function applyViewAs(context: RequestContext, actor: Person, { name, meta }: CalledRoute): Promise<Person> {
  const header = context.headers.get(viewAsHeader);
  if (header === null || name.startsWith('session.')) return actor;
  const [, kind, id = ''] = viewAsPattern.exec(header) ?? [];
  if (!kind) throw createFieldError(viewAsHeader);
  if (meta.permission || (meta.signedIn && !alwaysReadable.has(name))) throw createAppError('VIEW_ONLY');
  if (!actor.granted.has(kind === 'role' ? '/permissions/role' : '/permissions/administrator')) throw createAppError('FORBIDDEN');
  const viewedIdentifiers = await (kind === 'role'
    ? readIdentifiersOfRole(context.db, id)
    : readGrantedIdentifiers(context.db, id, anyAddress));
  const granted = new Set([...actor.granted].filter((identifier) => viewedIdentifiers.has(identifier)));
  // A role that the viewer lost meanwhile must not turn reads into refusals in the audit log.
  if (meta.menu && actor.granted.has(meta.menu) && !granted.has(meta.menu)) throw createAppError('VIEW_ONLY');
  return { ...actor, granted, isViewing: true };
}

/** What a holder of exactly these permissions sees, in the networks of their roles. */
export async function buildViewedAccess(
  queries: Queries,
  granted: ReadonlySet<string>,
): Promise<Omit<ViewedAccess, 'networkRoles'>> {
  const { permittedRoutes, codes } = await buildAccess(queries, { email: '', granted });
  return { permittedRoutes, codes };
}

export async function readIdentifiersOfRole(queries: Queries, roleId: string): Promise<ReadonlySet<string>> {
  const rows = await queries
    .select({ identifier: permissionNodes.identifier })
    .from(roleNodes)
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(eq(roleNodes.roleId, roleId));
  return new Set(rows.map(({ identifier }) => identifier));
}
