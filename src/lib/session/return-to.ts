import { readOfTab, writeOfTab } from '../prefs/storage.ts';

/** Where to go after sign-in, per tab. */
const key = 'returnTo';

export function rememberReturn(place: string): void {
  writeOfTab(key, place);
}

/** Usable once. Untrusted: see `returnPath`. */
export function takeReturn(): string | null {
  const place = readOfTab(key);
  writeOfTab(key, null);
  return place;
}
