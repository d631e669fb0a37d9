import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/selfCustody/authority': { icon: 'scroll-text', keys: 'g q', words: ['authority', 'evm', 'signing'] },
} as const satisfies ResourceScreens;
