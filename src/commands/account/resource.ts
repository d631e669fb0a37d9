import type { Places } from '../engine/resource.ts';

export const places = {
  '/account': { go: 'go.account', icon: 'circle-user', keys: 'g y' },
} as const satisfies Places;
