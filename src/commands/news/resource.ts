import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/news': { icon: 'newspaper', keys: 'g n', words: ['news'] },
} as const satisfies ResourceScreens;
