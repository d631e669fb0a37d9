import { readTabStored, writeTabStored } from '../prefs/storage.ts';

/** Where to go after sign-in, per tab. */
const key = 'returnTo';

export function storeReturnPath(path: string): void {
  writeTabStored(key, path);
}

/** Usable once. Untrusted: see `resolveReturnPath`. */
export function takeReturnPath(): string | null {
  const path = readTabStored(key);
  writeTabStored(key, null);
  return path;
}
