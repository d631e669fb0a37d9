import { flatMenu, type MenuNode, type PermittedRoute } from '../../../api/menu.ts';
import { visibleMenu } from './guard.ts';
import { flattenRoutes } from './session.ts';

const menuNodes = new Map<string, MenuNode>(flatMenu().map((node) => [node.path, node]));

/** The permission tree's menu for this person. A list without names (from an earlier version) uses the built-in menu. */
export function menuOf(routes: readonly PermittedRoute[]): MenuNode[] {
  const isNamed = routes.some(({ zh, en }) => zh !== undefined && en !== undefined);
  return isNamed ? namedMenu(routes) : visibleMenu(new Set(flattenRoutes(routes)));
}

function namedMenu(routes: readonly PermittedRoute[]): MenuNode[] {
  return routes.flatMap(({ path, zh, en, children }): MenuNode[] => {
    const known = menuNodes.get(path);
    if (!known && !children) return []; // personal pages are linked elsewhere
    const node = { path: path as MenuNode['path'], zh: zh ?? known?.zh ?? path, en: en ?? known?.en ?? path };
    if (!children) return [node];
    const below = namedMenu(children);
    return below.length > 0 ? [{ ...node, children: below }] : [];
  });
}
