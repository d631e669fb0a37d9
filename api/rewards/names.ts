import type { Functions, Name } from '../naming.ts';

/** The commands of points, balances and airdrops. */
export const rewardNames = {
  // Points
  'points.adjust': { zh: '调整积分', en: 'Adjust points' },
  'points.reverse': { zh: '冲销积分', en: 'Reverse points' },
  'points.export': { zh: '导出积分', en: 'Export points' },
  'points.open': { zh: '查看地址的积分', en: "Open an address's points" },
  'points.copyAddress': { zh: '复制明细地址', en: 'Copy address of entry' },
  'points.explore': { zh: '在区块浏览器中查看积分地址', en: 'View address of entry in a block explorer' },
  'points.import': { zh: '导入积分', en: 'Import points' },
  'points.startImport': { zh: '开始积分导入', en: 'Start an import of points' },
  'points.cancelImport': { zh: '取消积分导入', en: 'Cancel an import of points' },
  'points.resumeImport': { zh: '继续积分导入', en: 'Resume an import of points' },
  'points.undoImport': { zh: '撤销积分导入', en: 'Undo an import of points' },
  'points.badRows': { zh: '下载积分导入的错误行', en: 'Download the bad rows of an import of points' },
  'points.imports': { zh: '查看积分导入记录', en: 'See imports of points' },
  'points.importTemplate': { zh: '下载积分导入模板', en: 'Download the template for points' },
  'points.view': { zh: '切换积分明细与余额', en: 'Switch between ledger and balances' },
  'balances.open': { zh: '查看积分余额', en: 'Open balance' },
  'balances.copyAddress': { zh: '复制地址', en: 'Copy address of balance' },
  'balances.explore': { zh: '在区块浏览器中查看余额地址', en: 'View address of balance in a block explorer' },

  // NFT airdrops
  'airdrops.add': { zh: '新增空投', en: 'Add airdrop' },
  'airdrops.edit': { zh: '编辑空投', en: 'Edit airdrop' },
  'airdrops.setLevel': { zh: '设置 NFT 等级', en: 'Set NFT level' },
  'airdrops.setStage': { zh: '设置空投阶段', en: 'Set airdrop stage' },
  'airdrops.delete': { zh: '删除空投', en: 'Delete airdrop' },
  'airdrops.restore': { zh: '恢复空投的早先版本', en: 'Restore an earlier version of an airdrop' },
  'airdrops.export': { zh: '导出空投', en: 'Export airdrops' },
  'airdrops.import': { zh: '导入空投', en: 'Import airdrops' },
  'airdrops.startImport': { zh: '开始空投导入', en: 'Start an import of airdrops' },
  'airdrops.cancelImport': { zh: '取消空投导入', en: 'Cancel an import of airdrops' },
  'airdrops.resumeImport': { zh: '继续空投导入', en: 'Resume an import of airdrops' },
  'airdrops.undoImport': { zh: '撤销空投导入', en: 'Undo an import of airdrops' },
  'airdrops.badRows': { zh: '下载空投导入的错误行', en: 'Download the bad rows of an import of airdrops' },
  'airdrops.imports': { zh: '查看空投导入记录', en: 'See imports of airdrops' },
  'airdrops.importTemplate': { zh: '下载空投导入模板', en: 'Download the template for airdrops' },
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
