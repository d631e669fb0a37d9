import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/selfCustody/withdraw': { icon: 'arrow-up-from-line', keys: 'g w', words: ['withdrawals', 'dataPanel'] },
} as const satisfies ResourceScreens;
