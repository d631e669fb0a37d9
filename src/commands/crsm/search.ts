import type { CrsmRow, PositionRow } from '../../../api/crsm/contract.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
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
    find: async ({ crsm }, q) => (await crsm.list({ ...newestFirst, filter: { q } })).rows,
  },
  positions: {
    target: positionTarget,
    place: '/CRSMTrove/positionList',
    read: ({ crsm }, ids) => crsm.manyPositions({ ids }),
    open: 'crsm.openPosition',
    by: ['address'],
    find: async ({ crsm }, q) => (await crsm.positions({ ...newestFirst, sort: 'openedAt', filter: { q } })).rows,
  },
} as const satisfies RecordKinds;

export const aliases = {
  'go.CRSMList': '持仓 头寸 强平 爆仓 清算 清算价 抵押率 liquidation leverage health collateral ratio',
  'go.positionList': '我的仓位 持仓 头寸 个人 own trove loan',
  'crsm.create': '新建 新增 添加 开通 自动减杠杆 new add keeper deleverage',
  'crsm.updateData': '刷新 同步 读取链上 重新读取 refresh read chain sync reload',
  'crsm.deposit': '充值 存钱 存YU 转入 stability pool provide put-in',
  'crsm.withdrawFromSP': '取出 取钱 取YU 转出 sp take-out unstake',
  'crsm.claimYield': '利息 提取收益 分红 领奖励 interest earn reward collect',
  'crsm.claimAllCollateralGains': '清算收益 抵押品 领奖励 清算 liquidation reward ybtc collect',
  'crsm.updateCR': '触发 目标 修改抵押率 调整抵押率 杠杆 collateral-ratio trigger target max trgcr tarcr change leverage',
  'crsm.commitDebtGasCompensation': '提议 修改 燃料费 手续费 gas reward propose fee',
  'crsm.acceptDebtGasCompensation': '生效 同意 确认 燃料费 手续费 gas reward approve fee confirm',
  'crsm.withdraw': '取出 取钱 转出 余额 token take-out unused',
  'crsm.repay': '还款 还债 还钱 还YU 减杠杆 debt loan pay-back deleverage',
  'crsm.open': `${commonAliases.open} 仓位`,
  'crsm.openPosition': `${commonAliases.open} 持仓 头寸 trove`,
  'crsm.copyAddress': `${commonAliases.copyAddress} 合约 contract`,
  'crsm.explore': `${commonAliases.explore} 合约 contract`,
} as const satisfies Aliases;
