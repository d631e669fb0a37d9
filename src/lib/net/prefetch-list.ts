import { readStored, writeStored } from '../prefs/storage.ts';

/** The page's first request of the last visit, sent again before its code has loaded. */
interface Early {
  asked: string;
  authorization: string;
  /** By `performance.now()`. */
  at: number;
  /** Null: no response. */
  answer: Promise<Response | null>;
}

declare global {
  /** Absent in a shell. */
  var early: Early | undefined;
}

/** The value has a list's route but no personal data or search text. */
const keyOf = (page: string) => `prefs.first.${page}`;
const maxAgeMs = 10_000;

/** Storage may be tampered with, so send only list reads (early.test.ts). */
export const isListRoute = (route: string): boolean => /^\w+(\/\w+)*\/list$/.test(route);

/** Saves up to a second on a slow connection. */
export function prefetchList({ pathname, search }: Location, authorization: string | null, permittedRoutes: string | null): void {
  const requested = search === '' ? readStored(keyOf(pathname)) : null;
  if (!requested || !authorization || !permittedRoutes?.includes(`"path":${JSON.stringify(pathname)}`)) return;
  const [route, body] = partsOf(requested);
  if (!isListRoute(route)) return;
  const response = fetch(`/rpc/${route}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
    credentials: 'same-origin',
  }).catch(() => null);
  globalThis.early = { asked: requested, authorization, at: performance.now(), answer: response };
}

/** Usable once, by the same session. */
export function takePrefetched(route: string, body: unknown, authorization: string | null): Promise<Response | null> | null {
  const { early } = globalThis;
  if (early?.asked !== `${route} ${String(body)}`) return null;
  globalThis.early = undefined;
  return early.authorization === authorization && performance.now() - early.at < maxAgeMs ? early.answer : null;
}

let noted: string | null = null;

/** Stores requests made while `ask` begins, if the page has its default filter. */
export function notingFirstList<T>(ask: () => T): T {
  noted = location.search === '' ? location.pathname : null;
  try {
    return ask();
  } finally {
    noted = null;
  }
}

export function rememberFirstList(route: string, body: unknown): void {
  if (noted !== null && isListRoute(route)) writeStored(keyOf(noted), `${route} ${String(body)}`);
  noted = null;
}

function partsOf(route: string): [route: string, body: string] {
  const end = route.indexOf(' ');
  return [route.slice(0, end), route.slice(end + 1)];
}
