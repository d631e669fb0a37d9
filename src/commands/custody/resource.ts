import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/selfCustody': { icon: 'landmark' },
  '/selfCustody/dataPanel': { icon: 'landmark', keys: 'g b', words: ['dataPanel'] },
} as const satisfies ResourceScreens;
