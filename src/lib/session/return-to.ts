import { readOfTab, writeOfTab } from '../prefs/storage.ts';

/** Where to go after sign-in, per tab. */
const key = 'returnTo';

export function storeReturnPath(path: string): void {
  writeOfTab(key, path);
}

/** Usable once. Untrusted: see `returnPath`. */
export function takeReturnPath(): string | null {
  const path = readOfTab(key);
  writeOfTab(key, null);
  return path;
}
