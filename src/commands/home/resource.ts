import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/': { icon: 'house', keys: 'g h', words: ['home', 'overview', 'chart'] },
} as const satisfies ResourceScreens;
