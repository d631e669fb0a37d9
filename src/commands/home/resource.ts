import type { ResourceScreens } from '../engine/resource.ts';

export const places = {
  '/': { icon: 'house', keys: 'g h', words: ['home', 'overview', 'chart'] },
} as const satisfies ResourceScreens;
