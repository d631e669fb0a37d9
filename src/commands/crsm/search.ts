import type { CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { crsmTarget, positionTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    crsms: CrsmRow;
    positions: PositionRow;
  }
}

export const records = {
  crsms: {
    target: crsmTarget,
    place: '/CRSMTrove/CRSMList',
    read: ({ crsm }, ids) => crsm.many({ ids }),
    open: 'crsm.open',
    by: ['address'],
    find: async ({ crsm }, q) => (await crsm.list({ ...newest, filter: { q } })).rows,
  },
  positions: {
    target: positionTarget,
    place: '/CRSMTrove/positionList',
    read: ({ crsm }, ids) => crsm.manyPositions({ ids }),
    open: 'crsm.openPosition',
    by: ['address'],
    find: async ({ crsm }, q) => (await crsm.positions({ ...newest, sort: 'openedAt', filter: { q } })).rows,
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.CRSMList': 'crsm',
  'go.positionList': 'my positions',
  'crsm.create': '新建 new keeper 自动减杠杆',
  'crsm.updateData': '刷新 refresh read chain',
  'crsm.deposit': '稳定池 stability pool provide',
  'crsm.withdrawFromSP': '稳定池 stability pool sp take out',
  'crsm.claimYield': '利息 interest earn',
  'crsm.claimAllCollateralGains': '清算收益 liquidation gains ybtc',
  'crsm.updateCR': '触发 目标 trigger target max ratio trgcr tarcr',
  'crsm.commitDebtGasCompensation': '提议 gas reward propose',
  'crsm.acceptDebtGasCompensation': '生效 gas reward',
  'crsm.withdraw': '闲置 idle token',
  'crsm.repay': '还款 debt keeper deleverage',
  'crsm.open': '详情 details show',
  'crsm.openPosition': '详情 trove details show',
  'crsm.copyAddress': '拷贝 clipboard contract 合约',
  'crsm.explore': '链上 etherscan mempool scan on chain',
} as const satisfies Aliases;
