import { defineCommand, noTarget } from '../engine/define.ts';

const ownCommand = { permission: 'anyone', place: 'global', target: noTarget, danger: 'none' } as const;

export const pageCommands = [
  defineCommand({
    ...ownCommand,
    id: 'page.print',
    icon: 'printer',
    params: null,
    excludeFromHistory: true,
    keys: ['mod+p'],
    run: ({ ui }) => ui.print(),
  }),
  defineCommand({
    ...ownCommand,
    id: 'values.exact',
    icon: 'search',
    params: null,
    excludeFromHistory: true,
    keys: ['v'],
    run: ({ ui }) => ui.showExact(),
  }),
];
