import type { Browser } from 'playwright';

/** Path of a Chromium that is there, or null. CHROMIUM_PATH names one. */
export function findBrowser(): Promise<string | null>;
/** Path of a browser with extensions and preferences; installed where it is missing. */
export function ensureFullBrowser(): Promise<string>;

/** How every browser of the tests, benches and screenshots is started. */
export const browserFlags: string[];

/** And of the tests alone. */
export const testFlags: string[];

/** Starts the browser that is there. */
export function launchBrowser(options?: { uncapped?: boolean }): Promise<Browser>;
