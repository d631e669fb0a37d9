import type { Access } from '../../api/access/session.ts';
import { ownScreens, type PermittedRoute } from '../../api/menu.ts';
import { buildBuiltInTree, isScreen, type BuiltInNode } from '../../server/platform/auth/rights/built-in-tree.ts';
import { readSeededGrants, type RoleName } from '../../server/seed/roles.ts';

/** From the same grants and tree as the seed. */
export function accessOfRole(role: RoleName, email: string): Access {
  const grantedCodes = readSeededGrants(role);
  const buildRoutes = (nodes: readonly BuiltInNode[]): PermittedRoute[] =>
    nodes
      .filter(({ kind }) => kind === 'menu')
      .flatMap(({ identifier: path, zh, en, children: childNodes }) => {
        if (isScreen(path)) return grantedCodes.has(path) ? [{ path, zh, en }] : [];
        const children = buildRoutes(childNodes);
        return children.length > 0 ? [{ path, zh, en, children }] : [];
      });
  const flattenNodes = (nodes: readonly BuiltInNode[]): BuiltInNode[] =>
    nodes.flatMap((node) => [node, ...flattenNodes(node.children)]);
  const permissionTree = buildBuiltInTree();
  return {
    email,
    permittedRoutes: [...buildRoutes(permissionTree), ...ownScreens.map(({ path }) => ({ path }))],
    codes: flattenNodes(permissionTree)
      .filter(({ kind, identifier }) => kind === 'function' && grantedCodes.has(identifier))
      .map(({ identifier: code }) => ({ code })),
  };
}
