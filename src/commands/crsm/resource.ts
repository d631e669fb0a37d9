import type { Places } from '../engine/resource.ts';

export const places = {
  '/CRSMTrove': { icon: 'boxes' },
  '/CRSMTrove/CRSMList': { go: 'go.CRSMList', icon: 'boxes', keys: 'g c' },
  '/CRSMTrove/positionList': { go: 'go.positionList', icon: 'list', keys: 'g l' },
} as const satisfies Places;
