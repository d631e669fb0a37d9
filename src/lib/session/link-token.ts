import { readOfTab, writeOfTab } from '../prefs/storage.ts';

/** How the address of a link to set a password ends, and what its token is kept by: the sign-in page looks for both. */
const start = '#set-password=';

/** The one-time token of the link: from the address, or as this tab has kept it over a reload. */
export function linkToken(): string {
  const { hash } = location;
  return hash.startsWith(start) ? hash.slice(start.length) : (readOfTab(start) ?? '');
}

/** Keeps it in this tab, and nowhere else; null once it was used or left. */
export function keepLinkToken(token: string | null): void {
  writeOfTab(start, token);
}
