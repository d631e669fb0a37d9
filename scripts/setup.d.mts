/** Builds only what has changed. */
export function ensureBuild(names?: ('panel' | 'server')[]): Promise<void>;
export function bundleOf(name: string): string;
export const serverBundle: string;
export const signerBundle: string;
export const commandBundle: string;
/** Loaded from node_modules instead of bundled. */
export const serverPackages: string[];
export const root: string;
export function runBin(name: string, args: readonly string[]): Promise<{ code: number; output: string }>;
/** Shown without a stack. */
export class SetupError extends Error {}
export function exitWithError(error: unknown): never;
