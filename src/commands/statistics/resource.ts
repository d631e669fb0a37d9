import type { ResourceScreens } from '../engine/resource.ts';

/** Six screens in one file. */
const statisticsWords = { words: ['statistics', 'chart'] } as const;

export const screens = {
  '/overview': { icon: 'gauge', keys: 'g o', view: 'overview', words: ['overview', 'chart'] },
  '/statistics': { icon: 'chart-line' },
  '/statistics/dataView': { icon: 'chart-line', keys: 'g s', ...statisticsWords },
  '/statistics/dataVault': { icon: 'vault', ...statisticsWords },
  '/statistics/dataWallet': { icon: 'wallet', ...statisticsWords },
  '/statistics/dataCdp': { icon: 'layers', ...statisticsWords },
  '/statistics/datacaptain': { icon: 'users', ...statisticsWords },
  '/statistics/data0penBox': { icon: 'gift', ...statisticsWords },
} as const satisfies ResourceScreens;
