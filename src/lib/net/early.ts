import { readStored, writeStored } from '../prefs/storage.ts';

/** What a page asked first when it was opened the last time, asked again before its code is there. */
interface Early {
  /** Route and body. */
  asked: string;
  authorization: string;
  /** By `performance.now()`. */
  at: number;
  /** Null: no answer came. */
  answer: Promise<Response | null>;
}

declare global {
  /** Of the page, which boot.ts shares with the panel. A command in a shell has none. */
  var early: Early | undefined;
}

/** Local-storage key of a page's first question. It says which list a page is of, and nothing of whom or what was looked for. */
const keyOf = (page: string) => `prefs.first.${page}`;
/** After so many milliseconds somebody has gone elsewhere meanwhile. */
const freshMs = 10_000;

/** What browsers keep may be tampered with, by whoever sat there before: nothing but a list is asked on its word. Each is a read (early.test.ts). */
export const isList = (route: string): boolean => /^\w+(\/\w+)*\/list$/.test(route);

/** For boot.ts: a page that is opened as it usually is asks at once what it is going to ask, on a slow line a second earlier. */
export function askEarly({ pathname, search }: Location, authorization: string | null, permittedRoutes: string | null): void {
  const asked = search === '' ? readStored(keyOf(pathname)) : null;
  if (!asked || !authorization || !permittedRoutes?.includes(`"path":${JSON.stringify(pathname)}`)) return;
  const [route, body] = partsOf(asked);
  if (!isList(route)) return;
  const answer = fetch(`/rpc/${route}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body,
    credentials: 'same-origin',
  }).catch(() => null);
  globalThis.early = { asked, authorization, at: performance.now(), answer };
}

/** The answer to this very question, if it was asked early by the same session; once. */
export function takeEarly(route: string, body: unknown, authorization: string | null): Promise<Response | null> | null {
  const { early } = globalThis;
  if (early?.asked !== `${route} ${String(body)}`) return null;
  globalThis.early = undefined;
  return early.authorization === authorization && performance.now() - early.at < freshMs ? early.answer : null;
}

let noted: string | null = null;

/** Notes for the next time what is asked while `ask` begins, if the page stands as it usually does. */
export function asFirst<T>(ask: () => T): T {
  noted = location.search === '' ? location.pathname : null;
  try {
    return ask();
  } finally {
    noted = null;
  }
}

/** Called with every question. */
export function noteFirst(route: string, body: unknown): void {
  if (noted !== null && isList(route)) writeStored(keyOf(noted), `${route} ${String(body)}`);
  noted = null;
}

function partsOf(asked: string): [route: string, body: string] {
  const end = asked.indexOf(' ');
  return [asked.slice(0, end), asked.slice(end + 1)];
}
