import { test } from 'vitest';
import { isLongRun } from './tier.ts';

interface LongTest {
  (name: string, callback: () => Promise<void> | void, timeout?: number): void;
  (name: string, options: { timeout: number }, callback: () => Promise<void> | void): void;
}

/** Like `@long` in Playwright. */
export const longTest: LongTest = isLongRun ? (test as LongTest) : () => {};
