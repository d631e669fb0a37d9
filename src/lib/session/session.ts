import { atom, computed } from 'nanostores';
import type { Access, ViewedAccess } from '../../../api/access/session.ts';
import type { ViewKind } from '../../../api/access/view-as.ts';
import type { PermittedRoute } from '../../../api/menu.ts';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { showExpert } from '../prefs/prefs.ts';
import { readTabStored, readStored, readStoredJson, writeTabStored, writeStored } from '../prefs/storage.ts';

/** Local-storage keys (specification §3 and §9). */
export const authorizationKey = 'Authorization';
export const permittedRoutesKey = 'permittedRoutes';
const walletKey = 'prefs.wallet';
export const accessKey = 'prefs.access'; // last known email and codes, for rendering before the server responds

/** `revoked`: ended by someone or by newer sessions, or the account was disabled. */
export type SessionEnd = 'expired' | 'revoked';

/** The Authorization header. Null if signed out. */
export const $authorization = atom<string | null>(readStored(authorizationKey) || null);
export const $permittedRoutes = atom<PermittedRoute[] | null>(readStoredJson(permittedRoutesKey, isRouteList));

const rememberedAccess = readStoredJson(accessKey, isRememberedAccess);
export const $loginEmail = atom<string>(rememberedAccess?.email ?? '');
/** See specification §3. */
export const $codes = atom<readonly { code: string }[]>(rememberedAccess?.codes ?? []);
/** Null until loaded. */
export const $accessChange = atom<string | null>(null);
/** Null until loaded. */
export const $expiry = atom<NonNullable<Access['expiry']> | null>(null);
/** Names of own roles that grant nothing on this network. */
export const $inactiveRoles = atom<readonly string[]>([]);
/** Set by lib/wallet/watch.ts while the wallet is unchanged. */
export const $walletAddress = atom<string | null>(null);

/** `id` is the wallet adapter's. */
export interface SessionWallet {
  id: string;
  /** Canonical, lowercase. */
  address: string;
  network: BitcoinNetwork;
}
/** A session started with a wallet ends when the wallet disconnects (specification §4). */
export const $sessionWallet = atom<SessionWallet | null>(readStoredJson(walletKey, isSessionWallet));

/** A role or person whose view of the panel this tab shows. */
export interface ViewAs {
  kind: ViewKind;
  id: string;
  name: string;
  /** Where leaving leads to. */
  from: string;
  access: ViewedAccess;
}
const viewAsKey = 'viewAs';
/** Null: the person's own panel. Kept over a reload. */
export const $viewAs = atom<ViewAs | null>($authorization.get() === null ? null : readViewAs());

export function setViewAs(viewAs: ViewAs | null): void {
  writeTabStored(viewAsKey, viewAs && JSON.stringify(viewAs));
  $viewAs.set(viewAs);
}

export const $codeSet = computed(
  [$codes, $viewAs],
  (codes, viewAs) => new Set((viewAs?.access.codes ?? codes).map(({ code }) => code)),
);
/** What the menu shows. */
export const $menuRoutes = computed(
  [$permittedRoutes, $viewAs],
  (permittedRoutes, viewAs) => viewAs?.access.permittedRoutes ?? permittedRoutes,
);
/** What can be opened: while viewing, only what the viewer may open too. */
export const $openRoutes = computed([$permittedRoutes, $viewAs], (permittedRoutes, viewAs) =>
  permittedRoutes && viewAs
    ? filterRoutes(permittedRoutes, new Set(flattenRoutes(viewAs.access.permittedRoutes)))
    : permittedRoutes,
);
export const $permittedPaths = computed($openRoutes, (routes) => new Set(flattenRoutes(routes ?? [])));

const filterRoutes = (routes: readonly PermittedRoute[], paths: ReadonlySet<string>): PermittedRoute[] =>
  routes.flatMap((route) => {
    if (!route.children) return paths.has(route.path) ? [route] : [];
    const children = filterRoutes(route.children, paths);
    return children.length > 0 ? [{ ...route, children }] : [];
  });

/** With `authorization` it is a new sign-in. */
export function setAccess(access: Access, authorization?: string, wallet: SessionWallet | null = null): void {
  if (authorization !== undefined) {
    writeStored(walletKey, wallet && JSON.stringify(wallet));
    $sessionWallet.set(wallet);
    writeStored(authorizationKey, authorization);
    if (access.expert) showExpert();
    setViewAs(null);
    $authorization.set(authorization);
  }
  writeStored(permittedRoutesKey, JSON.stringify(access.permittedRoutes));
  writeStored(accessKey, JSON.stringify({ email: access.email, codes: access.codes }));
  // Keeps equal values, to prevent a second render.
  if (!isSame($permittedRoutes.get(), access.permittedRoutes)) $permittedRoutes.set(access.permittedRoutes);
  $loginEmail.set(access.email);
  if (!isSame($codes.get(), access.codes)) $codes.set(access.codes);
  $accessChange.set(access.change ?? null);
  if (access.expiry) $expiry.set(access.expiry);
  $inactiveRoles.set(access.inactiveRoles ?? []);
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** Other tabs follow through the storage event. */
export function clearSession(): void {
  for (const key of [authorizationKey, permittedRoutesKey, accessKey, walletKey]) writeStored(key, null);
  setViewAs(null);
  $authorization.set(null);
  $permittedRoutes.set(null);
  $loginEmail.set('');
  $codes.set([]);
  $expiry.set(null);
  $inactiveRoles.set([]);
  $sessionWallet.set(null);
}

export function loadSession(): void {
  if (readStored(authorizationKey) !== $authorization.get()) setViewAs(null);
  $authorization.set(readStored(authorizationKey) || null);
  $permittedRoutes.set(readStoredJson(permittedRoutesKey, isRouteList));
  $sessionWallet.set(readStoredJson(walletKey, isSessionWallet));
  const access = readStoredJson(accessKey, isRememberedAccess);
  $loginEmail.set(access?.email ?? '');
  $codes.set(access?.codes ?? []);
}

export function flattenRoutes(routes: readonly PermittedRoute[]): string[] {
  return routes.flatMap((route) => [route.path, ...flattenRoutes(route.children ?? [])]);
}

function isRouteList(value: unknown): value is PermittedRoute[] {
  return (
    Array.isArray(value) &&
    value.every(
      (route: unknown) =>
        typeof route === 'object' &&
        route !== null &&
        'path' in route &&
        typeof route.path === 'string' &&
        (!('children' in route) || route.children === undefined || isRouteList(route.children)),
    )
  );
}

function isRememberedAccess(value: unknown): value is { email: string; codes: { code: string }[] } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'email' in value &&
    typeof value.email === 'string' &&
    'codes' in value &&
    Array.isArray(value.codes) &&
    value.codes.every(
      (item: unknown) => typeof item === 'object' && item !== null && 'code' in item && typeof item.code === 'string',
    )
  );
}

// Corrupt: the session ends, because its wallet cannot be found.
function isSessionWallet(value: unknown): value is SessionWallet {
  return typeof value === 'object' && value !== null;
}

function readViewAs(): ViewAs | null {
  try {
    const value: unknown = JSON.parse(readTabStored(viewAsKey) ?? 'null');
    return isViewAs(value) ? value : null;
  } catch {
    return null;
  }
}

function isViewAs(value: unknown): value is ViewAs {
  return (
    typeof value === 'object' &&
    value !== null &&
    'kind' in value &&
    (value.kind === 'role' || value.kind === 'administrator') &&
    'id' in value &&
    typeof value.id === 'string' &&
    'name' in value &&
    typeof value.name === 'string' &&
    'from' in value &&
    typeof value.from === 'string' &&
    'access' in value &&
    typeof value.access === 'object' &&
    value.access !== null &&
    'permittedRoutes' in value.access &&
    isRouteList(value.access.permittedRoutes) &&
    'codes' in value.access &&
    Array.isArray(value.access.codes) &&
    'networkRoles' in value.access &&
    Array.isArray(value.access.networkRoles)
  );
}
