import type {
  DrawRow,
  PositionStatRow,
  TeamRow,
  VaultRow,
  VisitRow,
  WalletConnectionRow,
} from '../../../api/statistics/contract.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { visitTarget, walletConnectionTarget, vaultTarget, positionStatTarget, teamTarget, drawTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    draws: DrawRow;
    positionStats: PositionStatRow;
    teams: TeamRow;
    vaults: VaultRow;
    visits: VisitRow;
    walletConnections: WalletConnectionRow;
  }
}

export const records = {
  teams: {
    target: teamTarget,
    place: '/statistics/datacaptain',
    read: ({ teams }, ids) => teams.many({ ids }),
    open: 'teams.open',
    by: ['wholeAddress', 'id'],
    find: async ({ teams }, address) => (await teams.list({ ...newestFirst, sort: 'updatedAt', filter: { address } })).rows,
  },
  walletConnections: {
    target: walletConnectionTarget,
    place: '/statistics/dataWallet',
    read: ({ walletConnections }, ids) => walletConnections.many({ ids }),
    open: 'walletConnections.open',
    by: ['wholeAddress', 'id'],
    find: async ({ walletConnections }, address) =>
      (await walletConnections.list({ ...newestFirst, sort: 'lastAt', filter: { address } })).rows,
  },
  draws: {
    target: drawTarget,
    place: '/statistics/data0penBox',
    read: ({ draws }, ids) => draws.many({ ids }),
    open: 'draws.open',
    by: ['id'],
  },
  visits: {
    target: visitTarget,
    place: '/statistics/dataView',
    read: ({ visits }, ids) => visits.many({ ids }),
    open: 'visits.open',
    by: ['id'],
  },
  vaults: {
    target: vaultTarget,
    place: '/statistics/dataVault',
    read: ({ vaults }, ids) => vaults.many({ ids }),
    open: 'vaults.open',
    by: ['wholeAddress'],
    find: async ({ vaults }, address) => (await vaults.list({ ...newestFirst, filter: { address } })).rows,
  },
  positionStats: {
    target: positionStatTarget,
    place: '/statistics/dataCdp',
    read: ({ positionStats }, ids) => positionStats.many({ ids }),
  },
} as const satisfies RecordKinds;

const visitAliases = '访问 流量 visit traffic';
const walletAliases = '钱包 连接 wallet connection';
const vaultAliases = '金库 vault';
const positions = '持仓 头寸 cdp trove';
const teamAliases = '队长 战队 captain squad';
const drawAliases = '开盒 盲盒 中奖 lottery openbox box prize winner';

export const aliases = {
  'go.dataView': '访问 访问量 流量 浏览量 PV UV visit traffic page-view analytics',
  'go.dataVault': '金库 抵押 锁仓量 vault collateral tvl',
  'go.dataWallet': '钱包 连接 连接数 用户钱包 钱包数 wallet connection user',
  'go.dataCdp': '持仓 头寸 借款 CDP cdp trove holding loan',
  'go.dataCaptain': '队长 战队 队伍 captain squad leader',
  'go.dataOpenBox': '开盒 盲盒 中奖 中奖名单 lottery openbox box prize winner raffle',
  'go.overview': '总览 看板 仪表盘 大盘 图表 dashboard figure metric chart kpi',
  'visits.export': `${visitAliases} ${commonAliases.export}`,
  'visits.open': `${visitAliases} ${commonAliases.open}`,
  'visits.copyAddress': `${visitAliases} ${commonAliases.copyAddress}`,
  'visits.explore': `${visitAliases} ${commonAliases.explore}`,
  'walletConnections.export': `${walletAliases} ${commonAliases.export}`,
  'walletConnections.open': `${walletAliases} ${commonAliases.open}`,
  'walletConnections.copyAddress': `${walletAliases} ${commonAliases.copyAddress}`,
  'walletConnections.explore': `${walletAliases} ${commonAliases.explore}`,
  'vaults.export': `${vaultAliases} ${commonAliases.export}`,
  'vaults.open': `${vaultAliases} ${commonAliases.open}`,
  'vaults.copyAddress': `${vaultAliases} ${commonAliases.copyAddress}`,
  'vaults.explore': `${vaultAliases} ${commonAliases.explore}`,
  'positionStats.export': `${positions} ${commonAliases.export}`,
  'positionStats.open': `${positions} ${commonAliases.open}`,
  'positionStats.copyAddress': `${positions} ${commonAliases.copyAddress}`,
  'positionStats.explore': `${positions} ${commonAliases.explore}`,
  'teams.export': `${teamAliases} ${commonAliases.export}`,
  'teams.open': `${teamAliases} ${commonAliases.open}`,
  'teams.copyAddress': `${teamAliases} ${commonAliases.copyAddress}`,
  'teams.explore': `${teamAliases} ${commonAliases.explore}`,
  'teams.import': `${teamAliases} ${commonAliases.import}`,
  'teams.startImport': `${teamAliases} ${commonAliases.startImport}`,
  'teams.cancelImport': `${teamAliases} ${commonAliases.cancelImport}`,
  'teams.resumeImport': `${teamAliases} ${commonAliases.resumeImport}`,
  'teams.undoImport': `${teamAliases} ${commonAliases.undoImport}`,
  'teams.badRows': `${teamAliases} ${commonAliases.badRows}`,
  'teams.imports': `${teamAliases} ${commonAliases.imports}`,
  'teams.importTemplate': `${teamAliases} ${commonAliases.importTemplate}`,
  'draws.export': `${drawAliases} ${commonAliases.export}`,
  'draws.open': `${drawAliases} ${commonAliases.open}`,
  'draws.copyAddress': `${drawAliases} ${commonAliases.copyAddress}`,
  'draws.explore': `${drawAliases} ${commonAliases.explore}`,
  'draws.import': `${drawAliases} ${commonAliases.import}`,
  'draws.startImport': `${drawAliases} ${commonAliases.startImport}`,
  'draws.cancelImport': `${drawAliases} ${commonAliases.cancelImport}`,
  'draws.resumeImport': `${drawAliases} ${commonAliases.resumeImport}`,
  'draws.undoImport': `${drawAliases} ${commonAliases.undoImport}`,
  'draws.badRows': `${drawAliases} ${commonAliases.badRows}`,
  'draws.imports': `${drawAliases} ${commonAliases.imports}`,
  'draws.importTemplate': `${drawAliases} ${commonAliases.importTemplate}`,
  'overview.export': `${commonAliases.export} 总览 看板 dashboard`,
  'overview.refresh': '总览 更新 看板 重新加载 reload update dashboard',
  'chart.table': '图 曲线 数据 列表 graph data value grid',
  'chart.unit': '图 按天 按周 按月 日 周 月 graph daily weekly monthly',
  'chart.compare': '图 环比 同比 上期 graph previous growth trend',
  'chart.saveCsv': '图 下载 导出 表格 graph download export excel spreadsheet',
} as const satisfies Aliases;
