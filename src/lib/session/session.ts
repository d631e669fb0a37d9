import { atom, computed } from 'nanostores';
import type { Access } from '../../../api/access/session.ts';
import type { PermittedRoute } from '../../../api/menu.ts';
import type { BitcoinNetwork } from '../../../api/access/wallet.ts';
import { showExpert } from '../prefs/prefs.ts';
import { readStored, readStoredJson, writeStored } from '../prefs/storage.ts';

/** Local-storage keys of specification §3 and §9. */
export const authorizationKey = 'Authorization';
export const permittedRoutesKey = 'permittedRoutes';
const walletKey = 'prefs.wallet';
export const accessKey = 'prefs.access'; // last known email and codes, so that a reload paints before the server answers

/** How a session ended: by time, or because it was taken away (ended by somebody, the account disabled). */
export type SessionEnd = 'expired' | 'revoked';

/** Value of the Authorization header, or null: signed in means it is there. */
export const $authorization = atom<string | null>(readStored(authorizationKey) || null);
export const $permittedRoutes = atom<PermittedRoute[] | null>(readStoredJson(permittedRoutesKey, isRouteList));

const remembered = readStoredJson(accessKey, isRemembered);
export const $loginEmail = atom<string>(remembered?.email ?? '');
/** API and button permissions, as specification §3 holds them. */
export const $codes = atom<readonly { code: string }[]>(remembered?.codes ?? []);
/** Number of the last change of access that this page knows; null until the server has said. */
export const $accessChange = atom<string | null>(null);
/** How long the session lasts; known once the server has said so on this page. */
export const $expiry = atom<NonNullable<Access['expiry']> | null>(null);
/** The connected wallet's address: set by whoever follows the wallet (lib/wallet/watch.ts) while it is as it was. */
export const $walletAddress = atom<string | null>(null);

/** The wallet a session was begun with, by its adapter's id. */
export interface SessionWallet {
  id: string;
  /** Canonical, lower case. */
  address: string;
  network: BitcoinNetwork;
}
/** Set when the session was begun with a wallet: then it ends with the connection (specification §4). */
export const $sessionWallet = atom<SessionWallet | null>(readStoredJson(walletKey, isSessionWallet));

export const $codeSet = computed($codes, (codes) => new Set(codes.map(({ code }) => code)));
export const $permittedPaths = computed($permittedRoutes, (routes) => new Set(flattenRoutes(routes ?? [])));

/** Takes what the server said of the person signed in; with `authorization` it is a new sign-in, by `wallet` or otherwise. */
export function setAccess(access: Access, authorization?: string, wallet: SessionWallet | null = null): void {
  if (authorization !== undefined) {
    writeStored(walletKey, wallet && JSON.stringify(wallet));
    $sessionWallet.set(wallet);
    writeStored(authorizationKey, authorization);
    if (access.expert) showExpert();
    $authorization.set(authorization);
  }
  writeStored(permittedRoutesKey, JSON.stringify(access.permittedRoutes));
  writeStored(accessKey, JSON.stringify({ email: access.email, codes: access.codes }));
  // What says the same stays the same value: else every page drew all of its menu and buttons twice as it comes up.
  if (!same($permittedRoutes.get(), access.permittedRoutes)) $permittedRoutes.set(access.permittedRoutes);
  $loginEmail.set(access.email);
  if (!same($codes.get(), access.codes)) $codes.set(access.codes);
  $accessChange.set(access.change ?? null);
  if (access.expiry) $expiry.set(access.expiry);
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Forgets the session in this browser; every open tab follows through the storage event. */
export function clearSession(): void {
  for (const key of [authorizationKey, permittedRoutesKey, accessKey, walletKey]) writeStored(key, null);
  $authorization.set(null);
  $permittedRoutes.set(null);
  $loginEmail.set('');
  $codes.set([]);
  $expiry.set(null);
  $sessionWallet.set(null);
}

/** Re-reads storage: another tab signed in or out, or somebody cleared or changed it. */
export function readSession(): void {
  $authorization.set(readStored(authorizationKey) || null);
  $permittedRoutes.set(readStoredJson(permittedRoutesKey, isRouteList));
  $sessionWallet.set(readStoredJson(walletKey, isSessionWallet));
  const access = readStoredJson(accessKey, isRemembered);
  $loginEmail.set(access?.email ?? '');
  $codes.set(access?.codes ?? []);
}

/** Paths of nested routes in one list. */
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

function isRemembered(value: unknown): value is { email: string; codes: { code: string }[] } {
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

// What is not as it was written ends the session: the wallet is not found.
function isSessionWallet(value: unknown): value is SessionWallet {
  return typeof value === 'object' && value !== null;
}
