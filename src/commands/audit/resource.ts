import type { ResourceScreens } from '../engine/resource.ts';

export const places = {
  '/audit': { icon: 'history', keys: 'g u', words: ['audit', 'record', 'resources'] },
} as const satisfies ResourceScreens;
