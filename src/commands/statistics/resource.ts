import type { Places } from '../engine/resource.ts';

export const places = {
  '/overview': { go: 'go.overview', icon: 'gauge', keys: 'g o' },
  '/statistics': { icon: 'chart-line' },
  '/statistics/dataView': { go: 'go.dataView', icon: 'chart-line', keys: 'g s' },
  '/statistics/dataVault': { go: 'go.dataVault', icon: 'vault' },
  '/statistics/dataWallet': { go: 'go.dataWallet', icon: 'wallet' },
  '/statistics/dataCdp': { go: 'go.dataCdp', icon: 'layers' },
  '/statistics/datacaptain': { go: 'go.dataCaptain', icon: 'users' },
  '/statistics/data0penBox': { go: 'go.dataOpenBox', icon: 'gift' },
} as const satisfies Places;
