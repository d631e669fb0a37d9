import type { Functions, Name } from '../naming.ts';

export const crsmNames = {
  'crsm.create': { zh: '创建 CRSM', en: 'Create CRSM' },
  'crsm.updateData': { zh: '更新合约数据', en: 'Update contract data' },
  'crsm.deposit': { zh: '向稳定池存入 YU（deposit）', en: 'Deposit YU into the stability pool' },
  'crsm.withdrawFromSP': { zh: '从稳定池提取 YU（withdrawFromSP）', en: 'Withdraw YU from the stability pool' },
  'crsm.claimYield': { zh: '领取收益（claimYield）', en: 'Claim yield' },
  'crsm.claimAllCollateralGains': { zh: '领取全部抵押品收益（claimAllCollateralGains）', en: 'Claim all collateral gains' },
  'crsm.updateCR': { zh: '更新触发与目标抵押率（updateCR）', en: 'Update trigger and target ratios' },
  'crsm.commitDebtGasCompensation': { zh: '提交债务 Gas 补偿（commitDebtGasCompensation）', en: 'Commit debt gas compensation' },
  'crsm.acceptDebtGasCompensation': { zh: '接受债务 Gas 补偿（acceptDebtGasCompensation）', en: 'Accept debt gas compensation' },
  'crsm.withdraw': { zh: '提取闲置 YU（withdraw）', en: 'Withdraw idle YU' },
  'crsm.repay': { zh: '偿还债务（repay）', en: 'Repay debt' },
  'crsm.open': { zh: '查看 CRSM', en: 'Open CRSM' },
  'crsm.openPosition': { zh: '查看仓位', en: 'Open position' },
  'crsm.copyAddress': { zh: '复制 CRSM 地址', en: 'Copy CRSM address' },
  'crsm.explore': { zh: '在区块浏览器中查看 CRSM', en: 'View CRSM in a block explorer' },
} as const satisfies Record<string, Name>;

export const crsmFunctions = {
  '/CRSMTrove/CRSMList': [
    'crsm.updateData',
    'crsm.deposit',
    'crsm.withdrawFromSP',
    'crsm.claimYield',
    'crsm.claimAllCollateralGains',
    'crsm.updateCR',
    'crsm.commitDebtGasCompensation',
    'crsm.acceptDebtGasCompensation',
    'crsm.withdraw',
    'crsm.repay',
  ],
  '/CRSMTrove/positionList': ['crsm.create'],
} as const satisfies Functions<typeof crsmNames>;
