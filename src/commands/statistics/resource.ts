import type { ResourceScreens } from '../engine/resource.ts';

/** Six screens in one file. */
const statistics = { words: ['statistics', 'chart'] } as const;

export const places = {
  '/overview': { icon: 'gauge', keys: 'g o', view: 'overview', words: ['overview', 'chart'] },
  '/statistics': { icon: 'chart-line' },
  '/statistics/dataView': { icon: 'chart-line', keys: 'g s', ...statistics },
  '/statistics/dataVault': { icon: 'vault', ...statistics },
  '/statistics/dataWallet': { icon: 'wallet', ...statistics },
  '/statistics/dataCdp': { icon: 'layers', ...statistics },
  '/statistics/datacaptain': { icon: 'users', ...statistics },
  '/statistics/data0penBox': { icon: 'gift', ...statistics },
} as const satisfies ResourceScreens;
