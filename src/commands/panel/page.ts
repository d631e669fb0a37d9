import { defineCommand, noTarget } from '../engine/define.ts';

const pageCommand = { permission: 'anyone', place: 'global', target: noTarget, danger: 'none' } as const;

export const pageCommands = [
  defineCommand({
    ...pageCommand,
    id: 'page.print',
    icon: 'printer',
    params: null,
    excludeFromHistory: true,
    keys: ['mod+p'],
    run: ({ ui }) => ui.print(),
  }),
  defineCommand({
    ...pageCommand,
    id: 'values.exact',
    icon: 'search',
    params: null,
    excludeFromHistory: true,
    keys: ['v'],
    run: ({ ui }) => ui.showExact(),
  }),
];
