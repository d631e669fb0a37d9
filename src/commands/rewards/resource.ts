import type { Places } from '../engine/resource.ts';

export const places = {
  '/points': { go: 'go.points', icon: 'coins', keys: 'g p' },
  '/NFTAirdrop': { go: 'go.NFTAirdrop', icon: 'send', keys: 'g t' },
} as const satisfies Places;
