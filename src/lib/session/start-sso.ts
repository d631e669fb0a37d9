const lockName = 'sso.start';

/**
 * One start at a time in all tabs. Otherwise two first starts each get a cookie of their own, and
 * the one that is overwritten can't be finished. Without locks (plain http) they do.
 */
export async function goToProvider(start: () => Promise<{ url: string }>): Promise<void> {
  const { url } = 'locks' in navigator ? await navigator.locks.request(lockName, start) : await start();
  location.assign(url);
}
