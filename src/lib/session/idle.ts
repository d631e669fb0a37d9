import { readStored, writeStored } from '../prefs/storage.ts';

const key = 'prefs.active';
const writeIntervalMs = 5_000;

let lastInput = Date.now();
let lastWritten = 0;
let idleAfterMs = 60_000;

function noteInput(): void {
  lastInput = Date.now();
  if (Math.abs(lastInput - lastWritten) < writeIntervalMs) return; // the clock may have been set back
  lastWritten = lastInput;
  setTimeout(() => writeStored(key, String(lastInput))); // writes to disk, so not while handling a key
}

for (const event of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
  globalThis.addEventListener?.(event, noteInput, { capture: true, passive: true });

/** Last input in this tab, in milliseconds. */
export const lastActiveInTab = (): number => lastInput;

/** Last input in any tab of this browser. */
export const lastActive = (): number => Math.max(lastInput, Number(readStored(key)) || 0);

/** The person is away: background requests must not extend the session. */
export const isTabIdle = (): boolean => Date.now() - lastInput > idleAfterMs;

/** Milliseconds without input. */
export const setIdleAfter = (ms: number): void => void (idleAfterMs = ms);
