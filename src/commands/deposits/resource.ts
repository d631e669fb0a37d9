import type { Places } from '../engine/resource.ts';

export const places = {
  '/selfCustody/deposit': { go: 'go.deposit', icon: 'arrow-down-to-line', keys: 'g d' },
} as const satisfies Places;
