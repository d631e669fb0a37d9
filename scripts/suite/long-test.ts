import { test } from 'vitest';
import { isLongRun } from './tier.ts';

interface LongTest {
  (name: string, work: () => Promise<void> | void, timeout?: number): void;
  (name: string, options: { timeout: number }, work: () => Promise<void> | void): void;
}

/** A test of `npm run test:all`, as `@long` is for Playwright: of a process that starts, of what has to be waited for, of many rounds. */
export const longTest: LongTest = isLongRun ? (test as LongTest) : () => {};
