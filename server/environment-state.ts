import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';

const schema = z.strictObject({
  /** How far the clock is ahead of this machine's, milliseconds. */
  aheadMs: z.int().check(z.minimum(0)),
  /** Whether nobody's calls are counted. */
  unlimited: z.boolean(),
});
type State = z.infer<typeof schema>;

/** What a test environment was told to be. It stands in a file beside the chain, and is kept and brought back with both. */
export interface EnvironmentState {
  readonly file: string;
  readonly now: () => number;
  readonly isUnlimited: () => boolean;
  readonly aheadMs: () => number;
  set(change: Partial<State>): void;
  /** Takes up what the file says; of a database in which somebody was before the demo nothing counts. */
  takeUp(isOthers: boolean): void;
}

const asItIs: State = { aheadMs: 0, unlimited: false };

/** Opens it with the true clock and every limit: `takeUp` reads the file. */
export function openEnvironmentState(dataDir: string): EnvironmentState {
  const file = join(dataDir, 'environment.json');
  let state = asItIs;
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
    takeUp(isOthers) {
      if (isOthers) rmSync(file, { force: true });
      state = read(file) ?? asItIs;
    },
  };
}

function read(file: string): State | null {
  try {
    return schema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null; // it was never told anything
  }
}
