import { readStored, writeStored } from '../prefs/storage.ts';

const key = 'prefs.active';
const tellEveryMs = 5_000;

let lastInput = Date.now();
let lastTold = 0;
let quietMs = 60_000;

function note(): void {
  lastInput = Date.now();
  if (Math.abs(lastInput - lastTold) < tellEveryMs) return; // the clock may have been set back
  lastTold = lastInput;
  setTimeout(() => writeStored(key, String(lastInput))); // writes to disk, so not while handling a key
}

for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  globalThis.addEventListener?.(event, note, { capture: true, passive: true });

/** Last input in this tab, in milliseconds. */
export const lastActiveHere = (): number => lastInput;

/** Last input in any tab of this browser. */
export const lastActive = (): number => Math.max(lastInput, Number(readStored(key)) || 0);

/** The person is away: background requests must not extend the session. */
export const isIdleHere = (): boolean => Date.now() - lastInput > quietMs;

/** Milliseconds without input. */
export const setIdleAfter = (ms: number): void => void (quietMs = ms);
