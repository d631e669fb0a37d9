import type { AirdropRow } from '../../../api/rewards/airdrops.ts';
import type { BalanceRow, PointsRow } from '../../../api/rewards/points.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { grouped } from './berries.ts';
import { airdropTarget } from './airdrops.ts';
import { balanceTarget, pointsTarget } from './points.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    airdrops: AirdropRow;
    balances: BalanceRow;
    points: PointsRow;
  }
}

export const records = {
  balances: {
    target: balanceTarget,
    place: '/points',
    read: ({ points }, addresses) => points.balancesOf({ addresses }),
    open: 'balances.open',
    by: ['address'],
    find: async ({ points }, address) => (await points.balances({ ...newest, sort: 'updatedAt', filter: { address } })).rows,
    note: ({ berries }) => grouped(berries),
  },
  airdrops: {
    target: airdropTarget,
    place: '/NFTAirdrop',
    read: ({ airdrops }, ids) => airdrops.many({ ids }),
    open: 'airdrops.open',
    by: ['address', 'id'],
    find: async ({ airdrops }, address) => (await airdrops.list({ ...newest, filter: { address } })).rows,
    note: ({ stage, nftLevel }) => `${stage} · ${nftLevel}`,
    restored: {
      as: 'airdrop',
      by: 'airdrops.restore',
      read: ({ airdrops }, ids, options) => airdrops.versions({ ids }, options),
    },
  },
  points: {
    target: pointsTarget,
    place: '/points',
    read: ({ points }, ids) => points.many({ ids }),
    open: 'points.open',
    by: ['id'],
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.points': '浆果 berries ledger',
  'go.NFTAirdrop': 'airdrops',
  'points.adjust': '增加 扣除 浆果 add deduct berries grant',
  'points.reverse': '撤回 冲正 退回 undo take back',
  'points.export': '下载 csv download excel',
  'points.open': '详情 明细 details view',
  'points.copyAddress': '拷贝 clipboard',
  'points.explore': '链上 etherscan mempool scan on chain',
  'points.view': '余额 明细 tab balances ledger',
  'balances.open': '详情 details view',
  'balances.copyAddress': '拷贝 clipboard',
  'balances.explore': '链上 etherscan mempool scan on chain',
  'points.import': '上传 csv excel upload',
  'points.startImport': '确认 confirm start',
  'points.cancelImport': '停止 放弃 stop discard',
  'points.resumeImport': '恢复 重试 retry continue',
  'points.undoImport': '撤回 回滚 revert take back roll back',
  'points.badRows': '失败 原因 csv failed errors',
  'points.imports': '历史 history list',
  'points.importTemplate': 'csv example sample',
  'airdrops.add': '添加 创建 create new',
  'airdrops.edit': '修改 change update',
  'airdrops.setLevel': '修改 change level',
  'airdrops.setStage': '修改 批次 change stage',
  'airdrops.delete': '移除 remove',
  'airdrops.restore': '还原 revert back',
  'airdrops.export': '下载 csv download excel',
  'airdrops.open': '详情 details view',
  'airdrops.copyAddress': '拷贝 clipboard',
  'airdrops.explore': '链上 etherscan mempool scan on chain',
  'airdrops.import': '上传 csv excel upload',
  'airdrops.startImport': '确认 confirm start',
  'airdrops.cancelImport': '停止 放弃 stop discard',
  'airdrops.resumeImport': '恢复 重试 retry continue',
  'airdrops.undoImport': '撤回 回滚 revert take back roll back',
  'airdrops.badRows': '失败 原因 csv failed errors',
  'airdrops.imports': '历史 history list',
  'airdrops.importTemplate': 'csv example sample',
} as const satisfies Aliases;
