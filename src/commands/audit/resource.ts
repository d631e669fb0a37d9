import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/audit': { icon: 'history', keys: 'g u', words: ['audit', 'record', 'resources'] },
} as const satisfies ResourceScreens;
