import type { DepositRow } from '../../../api/deposits/contract.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { depositTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    deposits: DepositRow;
  }
}

export const records = {
  deposits: {
    target: depositTarget,
    place: '/selfCustody/deposit',
    read: ({ deposits }, ids) => deposits.many({ ids }),
    open: 'deposits.open',
    by: ['address', 'hash', 'bitcoin', 'id'],
    find: async ({ deposits }, q) => (await deposits.list({ ...newest, filter: { q } })).rows,
    note: ({ userAddress }) => userAddress,
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.deposit': '充值 deposits mint',
  'deposits.add': '登记 充值 record create new',
  'deposits.edit': '编辑 更正 change update',
  'deposits.confirm': '铸造 放行 审批 同意 签署 复核 四眼 mint approve sign four eyes yes',
  'deposits.retryMint': '再试 again',
  'deposits.delete': '移除 remove',
  'deposits.open': '详情 details view',
  'deposits.copyHash': '拷贝 txid clipboard',
  'deposits.explore': '链上 etherscan mempool scan on chain',
  'deposits.toConfirm': '待办 待确认 queue waiting inbox',
  'deposits.cancelMint': '停止 撤销 stop abort',
  'deposits.closeFailed': '失败 重新登记 failed record again',
} as const satisfies Aliases;
