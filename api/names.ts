import type { allNames, functions } from './all-names.ts';

export type CommandId = keyof typeof allNames;

/** One id for the command, the permission and its route. */
export type Permission = (typeof functions)[keyof typeof functions][number];
