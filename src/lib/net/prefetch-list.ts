import { readStored, writeStored } from '../prefs/storage.ts';

/** The page's first request of the last visit, sent again before its code has loaded. */
interface PrefetchedList {
  asked: string;
  authorization: string;
  /** By `performance.now()`. */
  at: number;
  /** Null: no response. */
  answer: Promise<Response | null>;
}

declare global {
  /** Absent in a shell. */
  var prefetchedList: PrefetchedList | undefined;
}

/** The value has a list's route but no personal data or search text. */
const storageKey = (page: string) => `prefs.first.${page}`;
const maxAgeMs = 10_000;

/** Storage may be tampered with, so send only list reads (prefetch-list.test.ts). */
export const isListRoute = (route: string): boolean => /^\w+(\/\w+)*\/list$/.test(route);

/** Saves up to a second on a slow connection. */
export function prefetchList({ pathname, search }: Location, authorization: string | null, permittedRoutes: string | null): void {
  const storedRequest = search === '' ? readStored(storageKey(pathname)) : null;
  if (!storedRequest || !authorization || !permittedRoutes?.includes(`"path":${JSON.stringify(pathname)}`)) return;
  const [route, body] = parseRequest(storedRequest);
  if (!isListRoute(route)) return;
  const response = fetch(`/rpc/${route}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
    credentials: 'same-origin',
  }).catch(() => null);
  globalThis.prefetchedList = { asked: storedRequest, authorization, at: performance.now(), answer: response };
}

/** Usable once, by the same session. */
export function takePrefetched(route: string, body: unknown, authorization: string | null): Promise<Response | null> | null {
  const { prefetchedList } = globalThis;
  if (prefetchedList?.asked !== `${route} ${String(body)}`) return null;
  globalThis.prefetchedList = undefined;
  return prefetchedList.authorization === authorization && performance.now() - prefetchedList.at < maxAgeMs
    ? prefetchedList.answer
    : null;
}

let recordedRequest: string | null = null;

/** Stores requests made while `runQuery` begins, if the page has its default filter. */
export function recordFirstList<T>(runQuery: () => T): T {
  recordedRequest = location.search === '' ? location.pathname : null;
  try {
    return runQuery();
  } finally {
    recordedRequest = null;
  }
}

export function storeFirstList(route: string, body: unknown): void {
  if (recordedRequest !== null && isListRoute(route)) writeStored(storageKey(recordedRequest), `${route} ${String(body)}`);
  recordedRequest = null;
}

function parseRequest(route: string): [route: string, body: string] {
  const separatorIndex = route.indexOf(' ');
  return [route.slice(0, separatorIndex), route.slice(separatorIndex + 1)];
}
