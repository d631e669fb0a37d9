import type { Functions, Name } from '../naming.ts';

/** Names of the statistics' and the overview's commands: they come with the screens. */
export const statisticsNames = {
  // Page statistics
  'visits.export': { zh: '导出页面统计', en: 'Export page statistics' },
  'visits.open': { zh: '查看访问记录', en: 'Open visit' },
  'visits.copyAddress': { zh: '复制创建地址', en: 'Copy address of visit' },
  'visits.explore': { zh: '在区块浏览器中查看访问地址', en: 'View address of visit in a block explorer' },

  // Wallet connections
  'walletConnections.export': { zh: '导出钱包连接统计', en: 'Export wallet connections' },
  'walletConnections.open': { zh: '查看钱包连接', en: 'Open wallet connection' },
  'walletConnections.copyAddress': { zh: '复制钱包地址', en: 'Copy address of wallet connection' },
  'walletConnections.explore': { zh: '在区块浏览器中查看钱包地址', en: "View wallet's address in a block explorer" },

  // Vaults and positions
  'vaults.export': { zh: '导出仓位统计', en: 'Export position statistics' },
  'vaults.open': { zh: '查看金库', en: 'Open vault' },
  'vaults.copyAddress': { zh: '复制金库所有者地址', en: "Copy vault owner's address" },
  'vaults.explore': { zh: '在区块浏览器中查看金库所有者', en: 'View vault owner in a block explorer' },
  'positionStats.export': { zh: '导出仓位列表', en: 'Export position list' },
  'positionStats.open': { zh: '查看仓位记录', en: 'Open position record' },
  'positionStats.copyAddress': { zh: '复制仓位地址', en: 'Copy address of position' },
  'positionStats.explore': { zh: '在区块浏览器中查看仓位地址', en: 'View address of position in a block explorer' },

  // Teams
  'teams.export': { zh: '导出团队列表', en: 'Export teams' },
  'teams.open': { zh: '查看团队', en: 'Open team' },
  'teams.copyAddress': { zh: '复制队长地址', en: "Copy captain's address" },
  'teams.explore': { zh: '在区块浏览器中查看队长', en: 'View captain in a block explorer' },
  'teams.import': { zh: '导入团队', en: 'Import teams' },
  'teams.startImport': { zh: '开始团队导入', en: 'Start an import of teams' },
  'teams.cancelImport': { zh: '取消团队导入', en: 'Cancel an import of teams' },
  'teams.resumeImport': { zh: '继续团队导入', en: 'Resume an import of teams' },
  'teams.undoImport': { zh: '撤销团队导入', en: 'Undo an import of teams' },
  'teams.badRows': { zh: '下载团队导入的错误行', en: 'Download the bad rows of an import of teams' },
  'teams.imports': { zh: '查看团队导入记录', en: 'See imports of teams' },
  'teams.importTemplate': { zh: '下载团队导入模板', en: 'Download the template for teams' },

  // Lottery
  'draws.export': { zh: '导出抽奖统计', en: 'Export lottery draws' },
  'draws.open': { zh: '查看抽奖', en: 'Open draw' },
  'draws.copyAddress': { zh: '复制抽奖队长地址', en: "Copy captain's address of draw" },
  'draws.explore': { zh: '在区块浏览器中查看抽奖队长', en: 'View captain of draw in a block explorer' },
  'draws.import': { zh: '导入抽奖', en: 'Import draws' },
  'draws.startImport': { zh: '开始抽奖导入', en: 'Start an import of draws' },
  'draws.cancelImport': { zh: '取消抽奖导入', en: 'Cancel an import of draws' },
  'draws.resumeImport': { zh: '继续抽奖导入', en: 'Resume an import of draws' },
  'draws.undoImport': { zh: '撤销抽奖导入', en: 'Undo an import of draws' },
  'draws.badRows': { zh: '下载抽奖导入的错误行', en: 'Download the bad rows of an import of draws' },
  'draws.imports': { zh: '查看抽奖导入记录', en: 'See imports of draws' },
  'draws.importTemplate': { zh: '下载抽奖导入模板', en: 'Download the template for draws' },

  // Overview
  'overview.export': { zh: '导出数据概览', en: 'Export the overview' },
  'overview.refresh': { zh: '刷新数据概览', en: 'Refresh the overview' },

  // A chart, whatever is drawn in it
  'chart.table': { zh: '图表与表格切换', en: 'Switch between chart and table' },
  'chart.unit': { zh: '设置统计周期', en: 'Group by day, week or month' },
  'chart.compare': { zh: '与上一周期对比', en: 'Compare with the period before' },
  'chart.savePicture': { zh: '图表另存为 PNG', en: 'Save the chart as PNG' },
  'chart.saveCsv': { zh: '图表数据另存为 CSV', en: "Save the chart's values as CSV" },
} as const satisfies Record<string, Name>;

/** Those that need a right of their own, by the screen they stand under. */
export const statisticsFunctions = {
  '/statistics/dataView': ['visits.export'],
  '/statistics/dataVault': ['vaults.export'],
  '/statistics/dataWallet': ['walletConnections.export'],
  '/statistics/dataCdp': ['positionStats.export'],
  '/statistics/datacaptain': ['teams.export', 'teams.import', 'teams.undoImport'],
  '/statistics/data0penBox': ['draws.export', 'draws.import', 'draws.undoImport'],
  '/overview': ['overview.export'],
} as const satisfies Functions<typeof statisticsNames>;
