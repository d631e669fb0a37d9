import type { Places } from '../engine/resource.ts';

export const places = {
  '/selfCustody': { icon: 'landmark' },
  '/selfCustody/dataPanel': { icon: 'landmark', keys: 'g b', words: ['dataPanel'] },
} as const satisfies Places;
