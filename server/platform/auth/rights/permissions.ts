import { eq } from 'drizzle-orm';
import { ownScreens, type PermittedRoute } from '../../../../api/menu.ts';
import type { Access } from '../../../../api/access/session.ts';
import { administratorRoles, permissionNodes, roleNodes } from '../tables.ts';
import type { Actor } from '../../core/context.ts';
import type { Queries } from '../../db/db.ts';
import { isScreen } from './built-in-tree.ts';
import { readTree } from './permission-tree.ts';

/** What the browser may know of somebody's rights: nested routes to open with their names in the menu, codes to use. */
export async function accessOf(
  queries: Queries,
  { email, granted, change }: Pick<Actor, 'email' | 'granted' | 'change'>,
): Promise<Access> {
  const nodes = await readTree(queries);
  const menus = nodes.filter(({ kind }) => kind === 'menu');

  // A group is there when any screen below it is; a path that no screen has leads nowhere.
  const routesUnder = (parentId: string | null): PermittedRoute[] =>
    menus
      .filter((node) => node.parentId === parentId)
      .flatMap(({ id, identifier: path, nameZh: zh, nameEn: en }) => {
        if (isScreen(path)) return granted.has(path) ? [{ path, zh, en }] : [];
        const children = routesUnder(id);
        return children.length > 0 ? [{ path, zh, en, children }] : [];
      });

  return {
    email,
    ...(change !== undefined && { change }),
    permittedRoutes: [...routesUnder(null), ...ownScreens.map(({ path }) => ({ path }))],
    codes: nodes
      .filter(({ kind, identifier }) => kind === 'function' && granted.has(identifier))
      .map(({ identifier }) => ({ code: identifier })),
  };
}

/** Everything the roles of an administrator grant. */
export async function grantedTo(queries: Queries, administratorId: string): Promise<ReadonlySet<string>> {
  const rows = await queries
    .selectDistinct({ identifier: permissionNodes.identifier })
    .from(administratorRoles)
    .innerJoin(roleNodes, eq(roleNodes.roleId, administratorRoles.roleId))
    .innerJoin(permissionNodes, eq(permissionNodes.id, roleNodes.nodeId))
    .where(eq(administratorRoles.administratorId, administratorId));
  return new Set(rows.map(({ identifier }) => identifier));
}
