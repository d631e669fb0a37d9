import type { Browser } from 'playwright';

/** CHROMIUM_PATH overrides the search. */
export function findBrowser(): Promise<string | null>;
/** Installs one with extensions and preferences if missing. */
export function ensureFullBrowser(): Promise<string>;

/** For tests, benchmarks and screenshots. */
export const browserFlags: string[];

/** For tests only. */
export const testFlags: string[];

export function launchBrowser(options?: { uncapped?: boolean }): Promise<Browser>;
