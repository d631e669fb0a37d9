import type {
  DrawRow,
  PositionStatRow,
  TeamRow,
  VaultRow,
  VisitRow,
  WalletConnectionRow,
} from '../../../api/statistics/contract.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
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
    find: async ({ teams }, address) => (await teams.list({ ...newest, sort: 'updatedAt', filter: { address } })).rows,
  },
  walletConnections: {
    target: walletConnectionTarget,
    place: '/statistics/dataWallet',
    read: ({ walletConnections }, ids) => walletConnections.many({ ids }),
    open: 'walletConnections.open',
    by: ['wholeAddress', 'id'],
    find: async ({ walletConnections }, address) =>
      (await walletConnections.list({ ...newest, sort: 'lastAt', filter: { address } })).rows,
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
    find: async ({ vaults }, address) => (await vaults.list({ ...newest, filter: { address } })).rows,
  },
  positionStats: {
    target: positionStatTarget,
    place: '/statistics/dataCdp',
    read: ({ positionStats }, ids) => positionStats.many({ ids }),
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.dataView': '访问量 visits views',
  'go.dataVault': '金库 vaults',
  'go.dataWallet': 'wallets',
  'go.dataCdp': 'cdp troves',
  'go.dataCaptain': '队长 captains',
  'go.dataOpenBox': '开盒 open box',
  'go.overview': '总览 figures',
  'visits.export': '访问 views 下载 csv excel download',
  'visits.open': '访问 views 详情 details show',
  'visits.copyAddress': '访问 views 拷贝 clipboard',
  'visits.explore': '链上 etherscan mempool scan on chain',
  'walletConnections.export': '钱包 wallets 下载 csv excel download',
  'walletConnections.open': '钱包 wallets 详情 details show',
  'walletConnections.copyAddress': '钱包 wallets 拷贝 clipboard',
  'walletConnections.explore': '链上 etherscan mempool scan on chain',
  'vaults.export': '金库 下载 csv excel download',
  'vaults.open': '金库 详情 details show',
  'vaults.copyAddress': '金库 拷贝 clipboard',
  'vaults.explore': '链上 etherscan mempool scan on chain',
  'positionStats.export': 'cdp troves 下载 csv excel download',
  'positionStats.open': 'cdp troves 详情 details show',
  'positionStats.copyAddress': 'cdp troves 拷贝 clipboard',
  'positionStats.explore': '链上 etherscan mempool scan on chain',
  'teams.export': '队长 captains 下载 csv excel download',
  'teams.open': '队长 captains 详情 details show',
  'teams.copyAddress': '队长 captains 拷贝 clipboard',
  'teams.explore': '链上 etherscan mempool scan on chain',
  'teams.import': '队长 captains 上传 csv excel upload',
  'teams.startImport': '队长 captains 确认 confirm start',
  'teams.cancelImport': '队长 captains 停止 放弃 stop discard',
  'teams.resumeImport': '队长 captains 恢复 重试 retry continue',
  'teams.undoImport': '队长 captains 撤回 回滚 revert take back roll back',
  'teams.badRows': '队长 captains 错误 errors wrong',
  'teams.imports': '队长 captains 历史 history list',
  'teams.importTemplate': '队长 captains csv example sample',
  'draws.export': '开盒 lottery open box 下载 csv excel download',
  'draws.open': '开盒 lottery open box 详情 details show',
  'draws.copyAddress': '开盒 lottery open box 拷贝 clipboard',
  'draws.explore': '链上 etherscan mempool scan on chain',
  'draws.import': '开盒 lottery open box 上传 csv excel upload',
  'draws.startImport': '开盒 lottery open box 确认 confirm start',
  'draws.cancelImport': '开盒 lottery open box 停止 放弃 stop discard',
  'draws.resumeImport': '开盒 lottery open box 恢复 重试 retry continue',
  'draws.undoImport': '开盒 lottery open box 撤回 回滚 revert take back roll back',
  'draws.badRows': '开盒 lottery open box 错误 errors wrong',
  'draws.imports': '开盒 lottery open box 历史 history list',
  'draws.importTemplate': '开盒 lottery open box csv example sample',
  'overview.export': '总览 下载 csv excel download',
  'overview.refresh': '总览 更新 reload',
  'chart.table': '图 graph 数据 data values',
  'chart.unit': '图 graph 日 周 月 group by',
  'chart.compare': '图 graph 环比 previous',
  'chart.savePicture': '图 graph 图片 picture image download',
  'chart.saveCsv': '图 graph 下载 download excel',
} as const satisfies Aliases;
