/** Builds panel and server, or what is named of them, unless they are of these very sources. */
export function ensureBuild(names?: ('panel' | 'server')[]): Promise<void>;
/** The server as `npm start` runs it. */
export const serverBundle: string;
/** A command of the panel from a shell, as `npm run command` runs it. */
export const commandBundle: string;
