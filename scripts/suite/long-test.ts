import { test } from 'vitest';
import { isLongRun } from './tier.ts';

interface LongTest {
  (name: string, work: () => Promise<void> | void, timeout?: number): void;
  (name: string, options: { timeout: number }, work: () => Promise<void> | void): void;
}

/** Runs only in `npm run test:all`, like `@long` in Playwright: for processes, waits and many rounds. */
export const longTest: LongTest = isLongRun ? (test as LongTest) : () => {};
