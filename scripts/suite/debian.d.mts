/** Throws SetupError. */
export function requireProgram(program: string, packageName?: string): Promise<void>;
/** `purpose` is for the message. */
export function ensureInstalled(isInstalled: () => boolean, purpose: string, packages: readonly string[]): Promise<boolean>;
