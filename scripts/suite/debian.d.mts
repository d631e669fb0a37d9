/** Installs a program from a Debian package if missing. Throws SetupError. */
export function need(program: string, ofPackage?: string): Promise<void>;
/** Installs the packages with apt-get as root if `isThere` is false. `what` is for the message. */
export function ensure(isThere: () => boolean, what: string, packages: readonly string[]): Promise<boolean>;
