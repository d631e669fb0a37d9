const textInputs = 'input:not([type=checkbox],[type=radio]),textarea';

/** True if a dialog is open or a field holds text. */
export const isEditing = (): boolean =>
  [...document.querySelectorAll<HTMLInputElement>(`[role$="dialog"],${textInputs}`)].some(
    (input) => input.getClientRects().length > 0 && input.value !== '',
  );

/** Reloads once per build and tab, so that servers with different builds cause no reload loop. False if already done. */
export function reloadOnce(build: string): boolean {
  try {
    const key = `reloaded.${build}`;
    if (sessionStorage.getItem(key)) return false;
    sessionStorage.setItem(key, '1');
  } catch {
    return false; // without storage the reload could loop
  }
  location.reload();
  return true;
}

/** Reloads past the browser cache, which may hold a broken file. */
export async function reloadWithoutCache(): Promise<void> {
  const files = performance.getEntriesByType('resource').filter(({ name }) => name.startsWith(`${location.origin}/assets/`));
  await Promise.allSettled(files.map(({ name }) => fetch(name, { cache: 'reload', signal: AbortSignal.timeout(5_000) })));
  location.reload();
}
