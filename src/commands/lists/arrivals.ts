import { defineCommand, blockedBecause, noTarget } from '../engine/define.ts';

export const listArrivals = [
  defineCommand({
    id: 'list.arrivals',
    permission: 'anyone',
    icon: 'arrow-up-to-line',
    place: 'list',
    target: noTarget,
    params: null,
    danger: 'none',
    excludeFromHistory: true,
    keys: ['n'],
    when: ({ viewContext }) => (viewContext?.controls?.arrivals?.waiting() ?? 0) > 0 || blockedBecause('arrivals.none'),
    run: ({ ui }) => ui.list?.arrivals?.show(),
  }),
];
