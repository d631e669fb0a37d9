import type { Name } from './names.ts';

/** The commands of points and airdrops. */
export const rewardNames = {
  // Points
  'points.adjust': { zh: '调整积分', en: 'Adjust points' },
  'points.reverse': { zh: '冲销积分', en: 'Reverse points' },
  'points.export': { zh: '导出积分', en: 'Export points' },
  'points.open': { zh: '查看地址的积分', en: "Open an address's points" },
  'points.copyAddress': { zh: '复制积分地址', en: 'Copy address of entry' },
  'points.view': { zh: '切换积分明细与余额', en: 'Switch between ledger and balances' },
  'balances.open': { zh: '查看积分余额', en: 'Open balance' },
  'balances.copyAddress': { zh: '复制余额地址', en: 'Copy address of balance' },

  // NFT airdrops
  'airdrops.add': { zh: '新增空投', en: 'Add airdrop' },
  'airdrops.edit': { zh: '编辑空投', en: 'Edit airdrop' },
  'airdrops.setLevel': { zh: '设置NFT等级', en: 'Set NFT level' },
  'airdrops.setStage': { zh: '设置空投阶段', en: 'Set airdrop stage' },
  'airdrops.delete': { zh: '删除空投', en: 'Delete airdrop' },
  'airdrops.restore': { zh: '恢复空投的早先版本', en: 'Restore an earlier version of an airdrop' },
  'airdrops.export': { zh: '导出空投', en: 'Export airdrops' },
  'airdrops.open': { zh: '查看空投', en: 'Open airdrop' },
  'airdrops.copyAddress': { zh: '复制空投地址', en: 'Copy airdrop address' },
} as const satisfies Record<string, Name>;
