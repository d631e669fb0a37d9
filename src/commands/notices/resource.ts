import type { ResourceScreens } from '../engine/resource.ts';

export const places = {
  '/notices': { icon: 'megaphone', keys: 'g a', words: ['notices', 'schedule'] },
} as const satisfies ResourceScreens;
