/** Path of a Chromium that is there, or null. CHROMIUM_PATH names one. */
export function findBrowser(): Promise<string | null>;
