import { atom } from 'nanostores';

/**
 * Milliseconds, null while the server responds. Measured by calls, because navigator.onLine only knows about the local network.
 */
export const $unreachableSince = atom<number | null>(null);

/** The server's build, if it differs from this page's. */
export const $newerBuild = atom<string | null>(null);

/** None under `npm run dev`. */
export const currentBuild =
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>('meta[name="build"]')?.content;

/** Notes a response, from the server (with x-build) or from a proxy that cannot reach it. */
export function recordResponse({ headers, status }: Response): void {
  const build = headers.get('x-build');
  if (currentBuild && !build && status >= 502) return recordUnreachable();
  if (currentBuild && build && build !== currentBuild) $newerBuild.set(build);
  $unreachableSince.set(null);
}

function recordUnreachable(): void {
  if ($unreachableSince.get() === null) $unreachableSince.set(Date.now());
}

/** A shell has no navigator. */
export const isBrowserOffline = (): boolean => globalThis.navigator?.onLine === false;

/** Null if there is no response within five seconds. */
export async function pingServer(): Promise<Response | null> {
  try {
    const response = await fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(5_000) });
    recordResponse(response);
    return response;
  } catch {
    recordUnreachable();
    return null;
  }
}
