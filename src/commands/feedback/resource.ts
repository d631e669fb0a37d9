import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/feedback': { icon: 'message-square', keys: 'g f', words: ['feedback', 'kit'] },
} as const satisfies ResourceScreens;
