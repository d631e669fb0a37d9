/** A program of the package that has its name, installed where it is missing. Throws SetupError where it cannot be had. */
export function need(program: string): Promise<void>;
