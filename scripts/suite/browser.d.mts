import type { Browser } from 'playwright';

/** CHROMIUM_PATH overrides the search. */
export function findBrowser(): Promise<string | null>;
export function ensureFullBrowser(): Promise<string>;

export const browserFlags: string[];

/** For tests only. */
export const testFlags: string[];

export function launchBrowser(options?: { uncapped?: boolean }): Promise<Browser>;
