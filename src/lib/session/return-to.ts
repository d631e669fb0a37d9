import { readOfTab, writeOfTab } from '../prefs/storage.ts';

/** Where this tab was headed when it had to sign in first. Per tab: another tab was headed elsewhere. */
const key = 'returnTo';

export function rememberReturn(place: string): void {
  writeOfTab(key, place);
}

/** The place remembered, once. Not to be trusted: see `returnPath`. */
export function takeReturn(): string | null {
  const place = readOfTab(key);
  writeOfTab(key, null);
  return place;
}
