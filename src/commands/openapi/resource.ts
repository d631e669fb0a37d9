import type { ResourceScreens } from '../engine/resource.ts';

export const places = {
  '/api/docs': { icon: 'book-open', keys: 'g e', words: ['openapi'] },
} as const satisfies ResourceScreens;
