import { atom } from 'nanostores';

/** Since when the server has not answered, milliseconds; null while it does. Calls tell: a browser's own flag knows its cable only. */
export const $silentSince = atom<number | null>(null);

/** The build that the server serves by now, when it is not this page's. */
export const $newerBuild = atom<string | null>(null);

/** The build this page is of; none under `npm run dev`. */
export const ownBuild =
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;

/** An answer came: from the server, which says its build with each, or from a proxy that does not reach it. */
export function hear({ headers, status }: Response): void {
  const build = headers.get('x-build');
  if (ownBuild && !build && status >= 502) return hearNothing();
  if (ownBuild && build && build !== ownBuild) $newerBuild.set(build);
  $silentSince.set(null);
}

function hearNothing(): void {
  if ($silentSince.get() === null) $silentSince.set(Date.now());
}

/** The browser knows that it has no network; a shell has no browser to ask. */
export const isUnplugged = (): boolean => globalThis.navigator?.onLine === false;

/** Asks for an answer's head, five seconds long; null when none comes. */
export async function ask(): Promise<Response | null> {
  try {
    const answer = await fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(5_000) });
    hear(answer);
    return answer;
  } catch {
    hearNothing();
    return null;
  }
}
