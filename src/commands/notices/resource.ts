import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/notices': { icon: 'megaphone', keys: 'g a', words: ['notices', 'schedule'] },
} as const satisfies ResourceScreens;
