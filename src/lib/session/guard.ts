import { flattenMenu, menu, type MenuNode, type PermittedRoute } from '../../../api/menu.ts';
import { isHelpPath } from '../help/address.ts';
import { flattenRoutes } from './session.ts';

export const loginPath = '/login';
export const notFoundPath = '/404';
export const linkPrefix = '/~';

export type RouteVerdict = { kind: 'ok' } | { kind: 'redirect'; to: string };

interface RouteVisit {
  path: string;
  authorization: string | null;
  /** As stored. Null if missing or corrupt. */
  permittedRoutes: readonly PermittedRoute[] | null;
}

const allowedVerdict: RouteVerdict = { kind: 'ok' };
const createRedirect = (to: string): RouteVerdict => ({ kind: 'redirect', to });
const groupsByPath = new Map<string, MenuNode>(flattenMenu().flatMap((node) => (node.children ? [[node.path, node]] : [])));

/** Specification §2. Runs on every route change. Without a list, the app loads one and calls this again. */
export function guardRoute({ path, authorization, permittedRoutes }: RouteVisit): RouteVerdict {
  if (!authorization) return path === loginPath ? allowedVerdict : createRedirect(loginPath);
  if (path === loginPath || path === notFoundPath) return allowedVerdict;
  // A link to a command leads to the command's screen, which is checked too.
  if (path.startsWith(linkPrefix)) return allowedVerdict;
  if (path.length > 1 && path.endsWith('/')) return createRedirect(path.replace(/\/+$/, '') || '/');
  if (!permittedRoutes || isHelpPath(path)) return allowedVerdict;

  const permittedPaths = new Set(flattenRoutes(permittedRoutes));
  const group = groupsByPath.get(path);
  // A custom group of the permission tree.
  const ownScreen = group ? null : firstScreen(findRoute(permittedRoutes, path));
  if (ownScreen) return createRedirect(ownScreen);
  if (!group) return permittedPaths.has(path) ? allowedVerdict : createRedirect(notFoundPath);
  const target = groupTarget(group, permittedPaths);
  return createRedirect(target ?? notFoundPath);
}

/** The group's own first screen if permitted, else the first permitted one in menu order. */
function groupTarget(group: MenuNode, permittedPaths: ReadonlySet<string>): string | null {
  if (group.home && permittedPaths.has(group.home)) return group.home;
  return group.children?.find(({ path }) => permittedPaths.has(path))?.path ?? null;
}

const findRoute = (routes: readonly PermittedRoute[], path: string): PermittedRoute | undefined =>
  routes.find((route) => route.path === path) ??
  routes.map((route) => findRoute(route.children ?? [], path)).find((route) => route !== undefined);

/** Null if it is not a group. */
function firstScreen(route: PermittedRoute | undefined): string | null {
  const [firstNode] = route?.children ?? [];
  return firstNode ? (firstScreen(firstNode) ?? firstNode.path) : null;
}

export function visibleMenu(permittedPaths: ReadonlySet<string>): MenuNode[] {
  return menu.flatMap((node: MenuNode) => {
    if (!node.children) return permittedPaths.has(node.path) ? [node] : [];
    const children = node.children.filter(({ path }) => permittedPaths.has(path));
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}

/** Home, else the first permitted screen, else the person's account, which needs no permission. */
export function startPath(permittedRoutes: readonly PermittedRoute[] | null): string {
  const permittedPaths = new Set(flattenRoutes(permittedRoutes ?? []));
  const [firstNode] = visibleMenu(permittedPaths);
  if (!permittedRoutes || permittedPaths.has('/')) return '/';
  return firstNode ? (firstNode.children?.[0]?.path ?? firstNode.path) : (permittedRoutes[0]?.path ?? notFoundPath);
}

/** `requestedPath` comes from session storage, so it must be a permitted path inside the panel. */
export function resolveReturnPath(requestedPath: string | null, permittedRoutes: readonly PermittedRoute[] | null): string {
  const start = startPath(permittedRoutes);
  if (!requestedPath || !/^\/(?![/\\])/.test(requestedPath) || /[\\\u0000-\u001f]/.test(requestedPath)) return start;
  const [path = '/'] = requestedPath.split(/[?#]/);
  if (path === loginPath || path === notFoundPath) return start;
  const verdict = guardRoute({ path, authorization: 'signed in', permittedRoutes });
  if (verdict.kind === 'ok') return requestedPath;
  return verdict.to === notFoundPath ? start : verdict.to;
}
