/** A program, from the distribution's package of its name or of another, installed where it is missing. Throws SetupError where it cannot be had. */
export function need(program: string, ofPackage?: string): Promise<void>;
/** Whether something is there, or is now: else the distribution's packages are installed, where there is apt-get, and as root. `what` is said to whoever waits. */
export function ensure(isThere: () => boolean, what: string, packages: readonly string[]): Promise<boolean>;
