import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

const schema = z.strictObject({
  /** Milliseconds. */
  aheadMs: z.int().check(z.minimum(0)),
  /** Rate limits are off. */
  unlimited: z.boolean(),
});
type StoredState = z.infer<typeof schema>;

/** Stored in a file beside the chain. */
export interface EnvironmentState {
  readonly file: string;
  readonly now: () => number;
  readonly isUnlimited: () => boolean;
  readonly aheadMs: () => number;
  set(change: Partial<StoredState>): void;
  /** Ignores the file if the database was not made by a demo. */
  takeUp(isFromOtherEnvironment: boolean): void;
}

const initialState: StoredState = { aheadMs: 0, unlimited: false };

/** Starts with real clock and limits until `takeUp`. */
export function openEnvironmentState(dataDir: string): EnvironmentState {
  const file = join(dataDir, 'environment.json');
  let state = initialState;
  return {
    file,
    now: () => Date.now() + state.aheadMs,
    isUnlimited: () => state.unlimited,
    aheadMs: () => state.aheadMs,
    set(change) {
      state = { ...state, ...change };
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(state));
    },
    takeUp(isFromOtherEnvironment) {
      if (isFromOtherEnvironment) rmSync(file, { force: true });
      state = readState(file) ?? initialState;
    },
  };
}

function readState(file: string): StoredState | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null; // no file
  }
}
