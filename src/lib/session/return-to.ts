/** Where this tab was headed when it had to sign in first. Per tab: another tab was headed elsewhere. */
const key = 'returnTo';

export function rememberReturn(place: string): void {
  try {
    sessionStorage.setItem(key, place);
  } catch {
    // Refused or full: sign-in leads to the start page instead.
  }
}

/** The place remembered, once. Not to be trusted: see `returnPath`. */
export function takeReturn(): string | null {
  try {
    const place = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return place;
  } catch {
    return null;
  }
}
