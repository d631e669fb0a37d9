import { and, eq } from 'drizzle-orm';
import { ownScreens, type PermittedRoute } from '../../../../api/menu.ts';
import type { Access } from '../../../../api/access/session.ts';
import { administratorRoles, permissionNodes, roleNodes, roles } from '../tables.ts';
import type { Actor, CallerAddress } from '../../services/context.ts';
import type { Queries } from '../../db/db.ts';
import { isScreen } from './built-in-tree.ts';
import { readTree } from './permission-tree.ts';
import { roleCounts } from './role-networks.ts';

export async function buildAccess(
  queries: Queries,
  { email, granted, change }: Pick<Actor, 'email' | 'granted' | 'change'>,
): Promise<Access> {
  const nodes = await readTree(queries);
  const menuNodes = nodes.filter(({ kind }) => kind === 'menu');

  // A group is visible if a screen below it is.
  const routesOf = (parentId: string | null): PermittedRoute[] =>
    menuNodes
      .filter((node) => node.parentId === parentId)
      .flatMap(({ id, identifier: path, nameZh: zh, nameEn: en }) => {
        if (isScreen(path)) return granted.has(path) ? [{ path, zh, en }] : [];
        const children = routesOf(id);
        return children.length > 0 ? [{ path, zh, en, children }] : [];
      });

  return {
    email,
    ...(change !== undefined && { change }),
    permittedRoutes: [...routesOf(null), ...ownScreens.map(({ path }) => ({ path }))],
    codes: nodes
      .filter(({ kind, identifier }) => kind === 'function' && granted.has(identifier))
      .map(({ identifier }) => ({ code: identifier })),
  };
}

/** What the person's roles grant to a call from there. */
export async function readGrantedIdentifiers(
  queries: Queries,
  administratorId: string,
  calledFrom: CallerAddress,
): Promise<ReadonlySet<string>> {
  const rows = await queries
    .selectDistinct({ identifier: permissionNodes.identifier })
    .from(administratorRoles)
    .innerJoin(roles, and(eq(roles.id, administratorRoles.roleId), roleCounts(roles.networks, calledFrom)))
    .innerJoin(roleNodes, eq(roleNodes.roleId, administratorRoles.roleId))
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(eq(administratorRoles.administratorId, administratorId));
  return new Set(rows.map(({ identifier }) => identifier));
}
