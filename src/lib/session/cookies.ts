/** One half of the session is a cookie, so sign-in needs them. */
export function keepsCookies(): boolean {
  const probe = 'cookie-probe';
  try {
    document.cookie = `${probe}=1; path=/; SameSite=Strict`;
    const isKept = document.cookie.includes(`${probe}=1`);
    document.cookie = `${probe}=; path=/; max-age=0; SameSite=Strict`;
    return isKept;
  } catch {
    return false;
  }
}
