import { defineCommand, none } from '../engine/define.ts';

const ownCommand = { permission: 'anyone', place: 'global', target: none, danger: 'none' } as const;

export const page = [
  defineCommand({
    ...ownCommand,
    id: 'page.print',
    icon: 'printer',
    params: null,
    passing: true,
    keys: ['mod+p'],
    run: ({ ui }) => ui.print(),
  }),
  defineCommand({
    ...ownCommand,
    id: 'values.exact',
    icon: 'search',
    params: null,
    passing: true,
    keys: ['v'],
    run: ({ ui }) => ui.showExact(),
  }),
];
