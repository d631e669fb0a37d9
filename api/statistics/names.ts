import type { Functions, Name } from '../naming.ts';

export const statisticsNames = {
  'visits.export': { zh: '导出页面统计', en: 'Export page statistics' },
  'visits.open': { zh: '查看访问记录', en: 'Open visit' },
  'visits.copyAddress': { zh: '复制创建地址', en: 'Copy visit address' },
  'visits.explore': { zh: '在区块浏览器中查看创建地址', en: 'View visit address in a block explorer' },

  'walletConnections.export': { zh: '导出钱包连接统计', en: 'Export wallet connections' },
  'walletConnections.open': { zh: '查看钱包连接', en: 'Open wallet connection' },
  'walletConnections.copyAddress': { zh: '复制钱包地址', en: 'Copy wallet connection address' },
  'walletConnections.explore': { zh: '在区块浏览器中查看钱包地址', en: 'View wallet address in a block explorer' },

  'vaults.export': { zh: '导出仓位统计', en: 'Export position statistics' },
  'vaults.open': { zh: '查看金库', en: 'Open vault' },
  'vaults.copyAddress': { zh: '复制金库所有者地址', en: 'Copy vault owner address' },
  'vaults.explore': { zh: '在区块浏览器中查看金库所有者', en: 'View vault owner in a block explorer' },
  'positionStats.export': { zh: '导出仓位列表', en: 'Export position list' },
  'positionStats.open': { zh: '查看仓位记录', en: 'Open position record' },
  'positionStats.copyAddress': { zh: '复制仓位地址', en: 'Copy position address' },
  'positionStats.explore': { zh: '在区块浏览器中查看仓位地址', en: 'View position address in a block explorer' },

  'teams.export': { zh: '导出团队列表', en: 'Export teams' },
  'teams.open': { zh: '查看团队', en: 'Open team' },
  'teams.copyAddress': { zh: '复制队长地址', en: 'Copy captain address' },
  'teams.explore': { zh: '在区块浏览器中查看队长', en: 'View captain in a block explorer' },
  'teams.import': { zh: '导入团队', en: 'Import teams' },
  'teams.startImport': { zh: '开始团队导入', en: 'Start team import' },
  'teams.cancelImport': { zh: '取消团队导入', en: 'Cancel team import' },
  'teams.resumeImport': { zh: '继续团队导入', en: 'Resume team import' },
  'teams.undoImport': { zh: '撤销团队导入', en: 'Undo team import' },
  'teams.badRows': { zh: '下载团队导入的无效行', en: 'Download invalid rows (team import)' },
  'teams.imports': { zh: '查看团队导入记录', en: 'View team imports' },
  'teams.importTemplate': { zh: '下载团队导入模板', en: 'Download team import template' },

  'draws.export': { zh: '导出抽奖统计', en: 'Export lottery draws' },
  'draws.open': { zh: '查看抽奖', en: 'Open draw' },
  'draws.copyAddress': { zh: '复制抽奖队长地址', en: 'Copy draw captain address' },
  'draws.explore': { zh: '在区块浏览器中查看抽奖队长', en: 'View draw captain in a block explorer' },
  'draws.import': { zh: '导入抽奖', en: 'Import lottery draws' },
  'draws.startImport': { zh: '开始抽奖导入', en: 'Start lottery import' },
  'draws.cancelImport': { zh: '取消抽奖导入', en: 'Cancel lottery import' },
  'draws.resumeImport': { zh: '继续抽奖导入', en: 'Resume lottery import' },
  'draws.undoImport': { zh: '撤销抽奖导入', en: 'Undo lottery import' },
  'draws.badRows': { zh: '下载抽奖导入的无效行', en: 'Download invalid rows (lottery import)' },
  'draws.imports': { zh: '查看抽奖导入记录', en: 'View lottery imports' },
  'draws.importTemplate': { zh: '下载抽奖导入模板', en: 'Download lottery import template' },

  'overview.export': { zh: '导出数据概览', en: 'Export data overview' },
  'overview.refresh': { zh: '刷新数据概览', en: 'Refresh data overview' },

  'chart.table': { zh: '切换图表与表格', en: 'Switch between chart and table' },
  'chart.unit': { zh: '设置统计周期', en: 'Group by day, week or month' },
  'chart.compare': { zh: '与上一周期对比', en: 'Compare with previous period' },
  'chart.saveCsv': { zh: '保存图表数据为 CSV', en: 'Save chart data as CSV' },
} as const satisfies Record<string, Name>;

export const statisticsFunctions = {
  '/statistics/dataView': ['visits.export'],
  '/statistics/dataVault': ['vaults.export'],
  '/statistics/dataWallet': ['walletConnections.export'],
  '/statistics/dataCdp': ['positionStats.export'],
  '/statistics/datacaptain': ['teams.export', 'teams.import', 'teams.undoImport'],
  '/statistics/data0penBox': ['draws.export', 'draws.import', 'draws.undoImport'],
  '/overview': ['overview.export'],
} as const satisfies Functions<typeof statisticsNames>;
