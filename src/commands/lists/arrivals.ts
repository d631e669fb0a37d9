import { defineCommand, no, none } from '../engine/define.ts';

export const listArrivals = [
  defineCommand({
    id: 'list.arrivals',
    permission: 'anyone',
    icon: 'arrow-up-to-line',
    place: 'list',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    keys: ['n'],
    when: ({ frame }) => (frame?.controls?.arrivals?.waiting() ?? 0) > 0 || no('arrivals.none'),
    run: ({ ui }) => ui.list?.arrivals?.show(),
  }),
];
