import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/account': { icon: 'circle-user', keys: 'g y', words: ['account'] },
} as const satisfies ResourceScreens;
