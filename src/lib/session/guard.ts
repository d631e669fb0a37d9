import { flatMenu, menu, type MenuNode, type PermittedRoute } from '../../../api/menu.ts';
import { isHelp } from '../help/address.ts';
import { flattenRoutes } from './session.ts';

export const loginPath = '/login';
export const notFoundPath = '/404';
export const linkPrefix = '/~';

export type RouteVerdict = { kind: 'ok' } | { kind: 'redirect'; to: string };

interface Visit {
  path: string;
  authorization: string | null;
  /** As stored. Null if missing or corrupt. */
  permittedRoutes: readonly PermittedRoute[] | null;
}

const allowed: RouteVerdict = { kind: 'ok' };
const redirect = (to: string): RouteVerdict => ({ kind: 'redirect', to });
const groups = new Map<string, MenuNode>(flatMenu().flatMap((node) => (node.children ? [[node.path, node]] : [])));

/** Specification §2. Runs on every route change. Without a list, the app loads one and calls this again. */
export function guardRoute({ path, authorization, permittedRoutes }: Visit): RouteVerdict {
  if (!authorization) return path === loginPath ? allowed : redirect(loginPath);
  if (path === loginPath || path === notFoundPath) return allowed;
  // A link to a command leads to the command's screen, which is checked too.
  if (path.startsWith(linkPrefix)) return allowed;
  if (path.length > 1 && path.endsWith('/')) return redirect(path.replace(/\/+$/, '') || '/');
  if (!permittedRoutes || isHelp(path)) return allowed;

  const permitted = new Set(flattenRoutes(permittedRoutes));
  const group = groups.get(path);
  // A custom group of the permission tree.
  const own = group ? null : firstScreen(routeAt(permittedRoutes, path));
  if (own) return redirect(own);
  if (!group) return permitted.has(path) ? allowed : redirect(notFoundPath);
  const target = groupTarget(group, permitted);
  return redirect(target ?? notFoundPath);
}

/** The group's own first screen if permitted, else the first permitted one in menu order. */
function groupTarget(group: MenuNode, permitted: ReadonlySet<string>): string | null {
  if (group.home && permitted.has(group.home)) return group.home;
  return group.children?.find(({ path }) => permitted.has(path))?.path ?? null;
}

const routeAt = (routes: readonly PermittedRoute[], path: string): PermittedRoute | undefined =>
  routes.find((route) => route.path === path) ??
  routes.map((route) => routeAt(route.children ?? [], path)).find((route) => route !== undefined);

/** Null if it is not a group. */
function firstScreen(route: PermittedRoute | undefined): string | null {
  const [first] = route?.children ?? [];
  return first ? (firstScreen(first) ?? first.path) : null;
}

export function visibleMenu(permitted: ReadonlySet<string>): MenuNode[] {
  return menu.flatMap((node: MenuNode) => {
    if (!node.children) return permitted.has(node.path) ? [node] : [];
    const children = node.children.filter(({ path }) => permitted.has(path));
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}

/** Home, else the first permitted screen, else the person's account, which needs no permission. */
export function startPath(permittedRoutes: readonly PermittedRoute[] | null): string {
  const permitted = new Set(flattenRoutes(permittedRoutes ?? []));
  const [first] = visibleMenu(permitted);
  if (!permittedRoutes || permitted.has('/')) return '/';
  return first ? (first.children?.[0]?.path ?? first.path) : (permittedRoutes[0]?.path ?? notFoundPath);
}

/** `wanted` comes from session storage, so it must be a permitted path inside the panel. */
export function returnPath(requested: string | null, permittedRoutes: readonly PermittedRoute[] | null): string {
  const start = startPath(permittedRoutes);
  if (!requested || !/^\/(?![/\\])/.test(requested) || /[\\\u0000-\u001f]/.test(requested)) return start;
  const [path = '/'] = requested.split(/[?#]/);
  if (path === loginPath || path === notFoundPath) return start;
  const verdict = guardRoute({ path, authorization: 'signed in', permittedRoutes });
  if (verdict.kind === 'ok') return requested;
  return verdict.to === notFoundPath ? start : verdict.to;
}
