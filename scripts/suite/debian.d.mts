/** Throws SetupError. */
export function requireProgram(program: string, ofPackage?: string): Promise<void>;
/** `what` is for the message. */
export function ensureInstalled(isThere: () => boolean, what: string, packages: readonly string[]): Promise<boolean>;
