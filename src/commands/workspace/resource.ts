import type { Places } from '../engine/resource.ts';

export const places = {
  '/': { go: 'go.home', icon: 'house', keys: 'g h' },
} as const satisfies Places;
