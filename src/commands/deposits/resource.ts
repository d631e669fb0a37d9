import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/selfCustody/deposit': { icon: 'arrow-down-to-line', keys: 'g d', words: ['deposits', 'dataPanel'] },
} as const satisfies ResourceScreens;
