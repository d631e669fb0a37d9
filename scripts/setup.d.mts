/** Builds panel and server, or what is named of them, unless they are of these very sources. */
export function ensureBuild(names?: ('panel' | 'server')[]): Promise<void>;
/** A part of the server's build by its name in vite.server.config.ts, as it is shipped. */
export function bundleOf(name: string): string;
/** The server as `npm start` runs it. */
export const serverBundle: string;
/** The signer as `npm run signer` runs it. */
export const signerBundle: string;
/** A command of the panel from a shell, as `npm run command` runs it. */
export const commandBundle: string;
/** What is not bundled into the server, but loaded from node_modules. */
export const packagesOfServer: string[];
/** The folder of the project. */
export const root: string;
/** Runs a package's program in it. */
export function runBin(name: string, args: readonly string[]): Promise<{ code: number; output: string }>;
/** A reason to stop that is shown as it is, without a stack. */
export class SetupError extends Error {}
/** Ends the process with a plain line for what was foreseen, and with everything for what was not. */
export function fail(error: unknown): never;
