import type { Access } from '../../api/access/session.ts';
import { ownScreens, type PermittedRoute } from '../../api/menu.ts';
import { builtInTree, isScreen, type BuiltInNode } from '../../server/platform/auth/rights/built-in-tree.ts';
import { grantsOf, type RoleName } from '../../server/seed/roles.ts';

/** From the same grants and tree as the seed. */
export function accessOfRole(role: RoleName, email: string): Access {
  const granted = grantsOf(role);
  const routesOf = (nodes: readonly BuiltInNode[]): PermittedRoute[] =>
    nodes
      .filter(({ kind }) => kind === 'menu')
      .flatMap(({ identifier: path, zh, en, children: below }) => {
        if (isScreen(path)) return granted.has(path) ? [{ path, zh, en }] : [];
        const children = routesOf(below);
        return children.length > 0 ? [{ path, zh, en, children }] : [];
      });
  const flat = (nodes: readonly BuiltInNode[]): BuiltInNode[] => nodes.flatMap((node) => [node, ...flat(node.children)]);
  const tree = builtInTree();
  return {
    email,
    permittedRoutes: [...routesOf(tree), ...ownScreens.map(({ path }) => ({ path }))],
    codes: flat(tree)
      .filter(({ kind, identifier }) => kind === 'function' && granted.has(identifier))
      .map(({ identifier: code }) => ({ code })),
  };
}
