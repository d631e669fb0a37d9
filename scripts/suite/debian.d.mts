/** Throws SetupError. */
export function need(program: string, ofPackage?: string): Promise<void>;
/** `what` is for the message. */
export function ensure(isThere: () => boolean, what: string, packages: readonly string[]): Promise<boolean>;
