import type { Places } from '../engine/resource.ts';

export const places = {
  '/news': { go: 'go.news', icon: 'newspaper', keys: 'g n' },
} as const satisfies Places;
