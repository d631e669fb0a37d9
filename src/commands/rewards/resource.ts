import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/points': { icon: 'coins', keys: 'g p', view: 'points', words: ['points'] },
  '/NFTAirdrop': { icon: 'send', keys: 'g t', view: 'airdrops', words: ['airdrops'] },
} as const satisfies ResourceScreens;
