import type { Places } from '../engine/resource.ts';

export const places = {
  '/feedback': { go: 'go.feedback', icon: 'message-square', keys: 'g f' },
} as const satisfies Places;
