import { readTabStored, writeTabStored } from '../prefs/storage.ts';

/** Fragment and storage key of the link for setting a password. */
const start = '#set-password=';

/** From the address, or kept by this tab over a reload. */
export function linkToken(): string {
  const { hash } = location;
  return hash.startsWith(start) ? hash.slice(start.length) : (readTabStored(start) ?? '');
}

/** Kept only in this tab. Null once used or abandoned. */
export function storeLinkToken(token: string | null): void {
  writeTabStored(start, token);
}
