/** One half of the session is a cookie, so sign-in needs them. */
export function areCookiesEnabled(): boolean {
  const probeName = 'cookie-probe';
  try {
    document.cookie = `${probeName}=1; path=/; SameSite=Strict`;
    const isCookieStored = document.cookie.includes(`${probeName}=1`);
    document.cookie = `${probeName}=; path=/; max-age=0; SameSite=Strict`;
    return isCookieStored;
  } catch {
    return false;
  }
}
