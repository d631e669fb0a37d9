const typed = 'input:not([type=checkbox],[type=radio]),textarea';

/** Whether somebody may be in the middle of something: a dialog is open, or a field holds text. */
export const isAtIt = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement>(`[role$="dialog"],${typed}`)].some(
    (one) => one.getClientRects().length > 0 && one.value !== '',
  );

/** Reloads for a build, once for each in this tab: servers that disagree must not make a page go round. False when it was done before. */
export function reloadOnce(build: string): boolean {
  try {
    const key = `reloaded.${build}`;
    if (sessionStorage.getItem(key)) return false;
    sessionStorage.setItem(key, '1');
  } catch {
    return false; // nothing would remember
  }
  location.reload();
  return true;
}

/** Reloads past what the browser keeps: a file that came broken would stay so for as long as it may be kept. */
export async function reloadFresh(): Promise<void> {
  const files = performance.getEntriesByType('resource').filter(({ name }) => name.startsWith(`${location.origin}/assets/`));
  await Promise.allSettled(files.map(({ name }) => fetch(name, { cache: 'reload', signal: AbortSignal.timeout(5_000) })));
  location.reload();
}
