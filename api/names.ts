import type { allNames, functions } from './all-names.ts';

/** Of every command: what has a name in all-names.ts. */
export type CommandId = keyof typeof allNames;

/** One word for one right: a command's id, the code on a role, and the permission of the route it calls. */
export type Permission = (typeof functions)[keyof typeof functions][number];
