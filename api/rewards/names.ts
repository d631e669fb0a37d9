import type { Functions, Name } from '../naming.ts';

/** The commands of points, balances and airdrops. */
export const rewardNames = {
  // Points
  'points.adjust': { zh: '调整积分', en: 'Adjust points' },
  'points.reverse': { zh: '冲销积分明细', en: 'Reverse points entry' },
  'points.export': { zh: '导出积分', en: 'Export points' },
  'points.open': { zh: '查看地址积分', en: 'Open points of an address' },
  'points.copyAddress': { zh: '复制明细地址', en: 'Copy entry address' },
  'points.explore': { zh: '在区块浏览器中查看明细地址', en: 'View entry address in a block explorer' },
  'points.import': { zh: '导入积分', en: 'Import points' },
  'points.startImport': { zh: '开始积分导入', en: 'Start points import' },
  'points.cancelImport': { zh: '取消积分导入', en: 'Cancel points import' },
  'points.resumeImport': { zh: '继续积分导入', en: 'Resume points import' },
  'points.undoImport': { zh: '撤销积分导入', en: 'Undo points import' },
  'points.badRows': { zh: '下载积分导入的无效行', en: 'Download invalid rows (points import)' },
  'points.imports': { zh: '查看积分导入记录', en: 'View points imports' },
  'points.importTemplate': { zh: '下载积分导入模板', en: 'Download points import template' },
  'points.view': { zh: '切换积分明细与余额', en: 'Switch between ledger and balances' },
  'balances.open': { zh: '查看积分余额', en: 'Open balance' },
  'balances.copyAddress': { zh: '复制地址', en: 'Copy balance address' },
  'balances.explore': { zh: '在区块浏览器中查看地址', en: 'View balance address in a block explorer' },

  // NFT airdrops
  'airdrops.add': { zh: '新增空投', en: 'Add airdrop' },
  'airdrops.edit': { zh: '编辑空投', en: 'Edit airdrop' },
  'airdrops.setLevel': { zh: '设置 NFT 等级', en: 'Set NFT level' },
  'airdrops.setStage': { zh: '设置空投阶段', en: 'Set airdrop stage' },
  'airdrops.delete': { zh: '删除空投', en: 'Delete airdrop' },
  'airdrops.restore': { zh: '恢复空投的历史版本', en: 'Restore an earlier version of an airdrop' },
  'airdrops.export': { zh: '导出空投', en: 'Export airdrops' },
  'airdrops.import': { zh: '导入空投', en: 'Import airdrops' },
  'airdrops.startImport': { zh: '开始空投导入', en: 'Start airdrop import' },
  'airdrops.cancelImport': { zh: '取消空投导入', en: 'Cancel airdrop import' },
  'airdrops.resumeImport': { zh: '继续空投导入', en: 'Resume airdrop import' },
  'airdrops.undoImport': { zh: '撤销空投导入', en: 'Undo airdrop import' },
  'airdrops.badRows': { zh: '下载空投导入的无效行', en: 'Download invalid rows (airdrop import)' },
  'airdrops.imports': { zh: '查看空投导入记录', en: 'View airdrop imports' },
  'airdrops.importTemplate': { zh: '下载空投导入模板', en: 'Download airdrop import template' },
  'airdrops.open': { zh: '查看空投', en: 'Open airdrop' },
  'airdrops.copyAddress': { zh: '复制空投地址', en: 'Copy airdrop address' },
  'airdrops.explore': { zh: '在区块浏览器中查看空投地址', en: 'View airdrop address in a block explorer' },
} as const satisfies Record<string, Name>;

/** Those that need a right of their own, by the screen they stand under. */
export const rewardFunctions = {
  '/points': ['points.adjust', 'points.reverse', 'points.export', 'points.import', 'points.undoImport'],
  '/NFTAirdrop': [
    'airdrops.add',
    'airdrops.edit',
    'airdrops.setLevel',
    'airdrops.setStage',
    'airdrops.delete',
    'airdrops.restore',
    'airdrops.export',
    'airdrops.import',
    'airdrops.undoImport',
  ],
} as const satisfies Functions<typeof rewardNames>;
