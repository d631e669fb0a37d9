/** How the address of a link to set a password ends, and what its token is kept by: the sign-in page looks for both. */
const start = '#set-password=';

/** The one-time token of the link: from the address, or as this tab has kept it over a reload. */
export function linkToken(): string {
  const { hash } = location;
  if (hash.startsWith(start)) return hash.slice(start.length);
  try {
    return sessionStorage.getItem(start) ?? '';
  } catch {
    return '';
  }
}

/** Keeps it in this tab, and nowhere else; null once it was used or left. */
export function keepLinkToken(token: string | null): void {
  try {
    if (token === null) sessionStorage.removeItem(start);
    else sessionStorage.setItem(start, token);
  } catch {
    // Refused or full: after a reload the link is to be opened again.
  }
}
