import { flattenMenu, type MenuNode, type PermittedRoute } from '../../../api/menu.ts';
import { visibleMenu } from './guard.ts';
import { flattenRoutes } from './session.ts';

const menuNodes = new Map<string, MenuNode>(flattenMenu().map((node) => [node.path, node]));

/** The permission tree's menu for this person. A list without names (from an earlier version) uses the built-in menu. */
export function buildMenu(routes: readonly PermittedRoute[]): MenuNode[] {
  const hasNames = routes.some(({ zh, en }) => zh !== undefined && en !== undefined);
  return hasNames ? namedMenu(routes) : visibleMenu(new Set(flattenRoutes(routes)));
}

function namedMenu(routes: readonly PermittedRoute[]): MenuNode[] {
  return routes.flatMap(({ path, zh, en, children }): MenuNode[] => {
    const menuNode = menuNodes.get(path);
    if (!menuNode && !children) return []; // personal pages are linked elsewhere
    const node = { path: path as MenuNode['path'], zh: zh ?? menuNode?.zh ?? path, en: en ?? menuNode?.en ?? path };
    if (!children) return [node];
    const childNodes = namedMenu(children);
    return childNodes.length > 0 ? [{ ...node, children: childNodes }] : [];
  });
}
