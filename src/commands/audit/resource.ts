import type { Places } from '../engine/resource.ts';

export const places = {
  '/audit': { go: 'go.audit', icon: 'history', keys: 'g u' },
} as const satisfies Places;
