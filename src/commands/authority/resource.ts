import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/selfCustody/authority': { icon: 'scroll-text', keys: 'g q', words: ['authority', 'evm'] },
} as const satisfies ResourceScreens;
