import type { Places } from '../engine/resource.ts';

export const places = {
  '/account': { icon: 'circle-user', keys: 'g y', words: ['account'] },
} as const satisfies Places;
