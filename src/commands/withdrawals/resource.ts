import type { Places } from '../engine/resource.ts';

export const places = {
  '/selfCustody/withdraw': { go: 'go.withdraw', icon: 'arrow-up-from-line', keys: 'g w' },
} as const satisfies Places;
