import type { Places } from '../engine/resource.ts';

export const places = {
  '/selfCustody': { icon: 'landmark' },
  '/selfCustody/dataPanel': { go: 'go.dataPanel', icon: 'landmark', keys: 'g b' },
} as const satisfies Places;
