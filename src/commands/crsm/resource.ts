import type { ResourceScreens } from '../engine/resource.ts';

export const screens = {
  '/CRSMTrove': { icon: 'boxes' },
  '/CRSMTrove/CRSMList': { icon: 'boxes', keys: 'g c', words: ['crsm'] },
  '/CRSMTrove/positionList': { icon: 'list', keys: 'g l', view: 'positions', words: ['crsm'] },
} as const satisfies ResourceScreens;
