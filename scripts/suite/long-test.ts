import { test } from 'vitest';
import { isLongRun } from './tier.ts';

interface LongTest {
  (name: string, work: () => Promise<void> | void, timeout?: number): void;
  (name: string, options: { timeout: number }, work: () => Promise<void> | void): void;
}

/** Like `@long` in Playwright. */
export const longTest: LongTest = isLongRun ? (test as LongTest) : () => {};
