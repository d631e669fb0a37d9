import { readStored, writeStored } from '../prefs/storage.ts';

const key = 'prefs.active';
const tellEveryMs = 5_000;

let lastInput = Date.now();
let lastTold = 0;
let quietMs = 60_000;

function note(): void {
  lastInput = Date.now();
  if (Math.abs(lastInput - lastTold) < tellEveryMs) return; // the clock may have been put back
  lastTold = lastInput;
  setTimeout(() => writeStored(key, String(lastInput))); // to the disk: no key waits for it
}

for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  globalThis.addEventListener?.(event, note, { capture: true, passive: true });

/** When a person last did something in this tab, milliseconds. */
export const lastActiveHere = (): number => lastInput;

/** The same in any tab of this browser. */
export const lastActive = (): number => Math.max(lastInput, Number(readStored(key)) || 0);

/** Nobody is there: what the page asks now it asks by itself, and keeps no session alive. */
export const isQuiet = (): boolean => Date.now() - lastInput > quietMs;

/** After how long without a key or click a page counts as left alone. */
export const setQuietAfter = (ms: number): void => void (quietMs = ms);
