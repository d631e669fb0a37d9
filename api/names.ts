import type { allNames, functions } from './all-names.ts';

export type CommandId = keyof typeof allNames;

export type Permission = (typeof functions)[keyof typeof functions][number];
