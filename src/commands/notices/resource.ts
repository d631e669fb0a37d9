import type { Places } from '../engine/resource.ts';

export const places = {
  '/notices': { go: 'go.notices', icon: 'megaphone', keys: 'g a', menuIcon: 'bell' },
} as const satisfies Places;
