import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/api/docs': { icon: 'book-open', keys: 'g e', words: ['openapi'] },
} as const satisfies ResourceScreens;
