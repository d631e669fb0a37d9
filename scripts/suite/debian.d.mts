/** A program, from the distribution's package of its name or of another, installed where it is missing. Throws SetupError where it cannot be had. */
export function need(program: string, ofPackage?: string): Promise<void>;
