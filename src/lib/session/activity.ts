import { readStored, writeStored } from '../prefs/storage.ts';

const key = 'prefs.active';
const writeIntervalMs = 5_000;

let lastInput = Date.now();
let lastWritten = 0;
let backgroundAfterMs = 60_000;

function recordInput(): void {
  lastInput = Date.now();
  if (Math.abs(lastInput - lastWritten) < writeIntervalMs) return; // the clock may have been set back
  lastWritten = lastInput;
  setTimeout(() => writeStored(key, String(lastInput))); // writes to disk, so not while handling a key
}

for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  globalThis.addEventListener?.(event, recordInput, { capture: true, passive: true });

/** Last input in this tab, in milliseconds. */
export const readLastActiveInTab = (): number => lastInput;

/** Last input in any tab of this browser. */
export const readLastActive = (): number => Math.max(lastInput, Number(readStored(key)) || 0);

/** The person is away: background requests must not extend the session. */
export const isTabInBackground = (): boolean => Date.now() - lastInput > backgroundAfterMs;

/** Milliseconds without input. */
export const setBackgroundAfter = (limitMs: number): void => void (backgroundAfterMs = limitMs);
