import type { AirdropRow } from '../../../api/rewards/airdrops.ts';
import type { BalanceRow, PointsRow } from '../../../api/rewards/points.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { groupBerries } from './berries.ts';
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
    find: async ({ points }, address) => (await points.balances({ ...newestFirst, sort: 'updatedAt', filter: { address } })).rows,
    note: ({ berries }) => groupBerries(berries),
  },
  airdrops: {
    target: airdropTarget,
    place: '/NFTAirdrop',
    read: ({ airdrops }, ids) => airdrops.many({ ids }),
    open: 'airdrops.open',
    by: ['address', 'id'],
    find: async ({ airdrops }, address) => (await airdrops.list({ ...newestFirst, filter: { address } })).rows,
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

const pointsAliases = '浆果 奖励 berries';
const balance = '浆果 余额 积分 berries points';
const airdropAliases = '发放 NFT drop';

export const aliases = {
  'go.points': '浆果 积分 积分明细 余额 奖励 points berries ledger balance reward',
  'go.NFTAirdrop': '空投名单 名单 发放 空投列表 NFT airdrop drop list winner',
  'points.adjust': `${pointsAliases} 加 扣 发 补发 增加 扣除 补 add deduct grant give`,
  'points.reverse': `${pointsAliases} 撤回 冲正 退回 撤销 作废 undo take-back cancel`,
  'points.export': `${pointsAliases} ${commonAliases.export} 流水`,
  'points.open': `${pointsAliases} ${commonAliases.open} 流水`,
  'points.copyAddress': `${pointsAliases} ${commonAliases.copyAddress}`,
  'points.explore': `${pointsAliases} ${commonAliases.explore}`,
  'points.view': `${pointsAliases} 流水 标签页 换成余额 tab ledger toggle`,
  'balances.open': `${balance} ${commonAliases.open}`,
  'balances.copyAddress': `${balance} ${commonAliases.copyAddress}`,
  'balances.explore': `${balance} ${commonAliases.explore}`,
  'points.import': `${pointsAliases} ${commonAliases.import}`,
  'points.startImport': `${pointsAliases} ${commonAliases.startImport}`,
  'points.cancelImport': `${pointsAliases} ${commonAliases.cancelImport}`,
  'points.resumeImport': `${pointsAliases} ${commonAliases.resumeImport}`,
  'points.undoImport': `${pointsAliases} ${commonAliases.undoImport}`,
  'points.badRows': `${pointsAliases} ${commonAliases.badRows}`,
  'points.imports': `${pointsAliases} ${commonAliases.imports}`,
  'points.importTemplate': `${pointsAliases} ${commonAliases.importTemplate}`,
  'airdrops.add': `${airdropAliases} ${commonAliases.add}`,
  'airdrops.edit': `${airdropAliases} ${commonAliases.edit}`,
  'airdrops.setLevel': `${airdropAliases} 修改 级别 稀有度 change rarity tier`,
  'airdrops.setStage': `${airdropAliases} 修改 批次 轮次 期数 change round batch`,
  'airdrops.delete': `${airdropAliases} ${commonAliases.delete}`,
  'airdrops.restore': `${airdropAliases} ${commonAliases.restore}`,
  'airdrops.export': `${airdropAliases} ${commonAliases.export} 名单 空投名单 list`,
  'airdrops.open': `${airdropAliases} ${commonAliases.open}`,
  'airdrops.copyAddress': `${airdropAliases} ${commonAliases.copyAddress}`,
  'airdrops.explore': `${airdropAliases} ${commonAliases.explore}`,
  'airdrops.import': `${airdropAliases} ${commonAliases.import}`,
  'airdrops.startImport': `${airdropAliases} ${commonAliases.startImport}`,
  'airdrops.cancelImport': `${airdropAliases} ${commonAliases.cancelImport}`,
  'airdrops.resumeImport': `${airdropAliases} ${commonAliases.resumeImport}`,
  'airdrops.undoImport': `${airdropAliases} ${commonAliases.undoImport}`,
  'airdrops.badRows': `${airdropAliases} ${commonAliases.badRows}`,
  'airdrops.imports': `${airdropAliases} ${commonAliases.imports}`,
  'airdrops.importTemplate': `${airdropAliases} ${commonAliases.importTemplate}`,
} as const satisfies Aliases;
