import { flatMenu, menu, type MenuNode, type PermittedRoute } from '../../../api/menu.ts';
import { flattenRoutes } from './session.ts';

export const loginPath = '/login';
export const notFoundPath = '/404';
export const linkPrefix = '/~';

export type Verdict = { kind: 'ok' } | { kind: 'redirect'; to: string };

interface Visit {
  path: string;
  authorization: string | null;
  /** As stored; null when there is none, or it is corrupt. */
  permittedRoutes: readonly PermittedRoute[] | null;
}

const ok: Verdict = { kind: 'ok' };
const redirect = (to: string): Verdict => ({ kind: 'redirect', to });
const groups = new Map<string, MenuNode>(flatMenu().flatMap((node) => (node.children ? [[node.path, node]] : [])));

/**
 * The access guard (specification §2), applied on every change of route.
 * Without a list the rule has nothing to say; the app asks the server for one and judges again.
 */
export function guard({ path, authorization, permittedRoutes }: Visit): Verdict {
  if (!authorization) return path === loginPath ? ok : redirect(loginPath);
  if (path === loginPath || path === notFoundPath) return ok;
  // Not a screen but a link to a command: it leads on to the command's screen, which is judged like any other.
  if (path.startsWith(linkPrefix)) return ok;
  if (path.length > 1 && path.endsWith('/')) return redirect(path.replace(/\/+$/, '') || '/');
  if (!permittedRoutes) return ok;

  const permitted = new Set(flattenRoutes(permittedRoutes));
  const group = groups.get(path);
  // A group that people made in the permission tree.
  const own = group ? null : firstScreen(routeAt(permittedRoutes, path));
  if (own) return redirect(own);
  if (!group) return permitted.has(path) ? ok : redirect(notFoundPath);
  const target = groupTarget(group, permitted);
  return redirect(target ?? notFoundPath);
}

/** Where a group leads: its own first screen when permitted, else the first permitted one in menu order. */
function groupTarget(group: MenuNode, permitted: ReadonlySet<string>): string | null {
  if (group.home && permitted.has(group.home)) return group.home;
  return group.children?.find(({ path }) => permitted.has(path))?.path ?? null;
}

const routeAt = (routes: readonly PermittedRoute[], path: string): PermittedRoute | undefined =>
  routes.find((route) => route.path === path) ??
  routes.map((route) => routeAt(route.children ?? [], path)).find((route) => route !== undefined);

/** The first screen in a group; null of what is no group. */
function firstScreen(route: PermittedRoute | undefined): string | null {
  const [first] = route?.children ?? [];
  return first ? (firstScreen(first) ?? first.path) : null;
}

/** The menu as this person sees it: permitted screens, and groups that have one, in menu order. */
export function visibleMenu(permitted: ReadonlySet<string>): MenuNode[] {
  return menu.flatMap((node: MenuNode) => {
    if (!node.children) return permitted.has(node.path) ? [node] : [];
    const children = node.children.filter(({ path }) => permitted.has(path));
    return children.length > 0 ? [{ ...node, children }] : [];
  });
}

/** Where a person starts: Home, else the first screen they may open; at last their own account, which needs no right. */
export function startPath(permittedRoutes: readonly PermittedRoute[] | null): string {
  const permitted = new Set(flattenRoutes(permittedRoutes ?? []));
  const [first] = visibleMenu(permitted);
  if (!permittedRoutes || permitted.has('/')) return '/';
  return first ? (first.children?.[0]?.path ?? first.path) : (permittedRoutes[0]?.path ?? notFoundPath);
}

/**
 * Where to go after sign-in: where the person was headed, when that is a place inside the panel and permitted.
 * `wanted` comes from session storage, so it is not trusted.
 */
export function returnPath(wanted: string | null, permittedRoutes: readonly PermittedRoute[] | null): string {
  const start = startPath(permittedRoutes);
  if (!wanted || !/^\/(?![/\\])/.test(wanted) || /[\\\u0000-\u001f]/.test(wanted)) return start;
  const [path = '/'] = wanted.split(/[?#]/);
  if (path === loginPath || path === notFoundPath) return start;
  const verdict = guard({ path, authorization: 'signed in', permittedRoutes });
  if (verdict.kind === 'ok') return wanted;
  return verdict.to === notFoundPath ? start : verdict.to;
}
