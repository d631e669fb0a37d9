import type { DepositRow, MintRuleRow } from '../../../api/deposits/contract.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { depositTarget, mintRuleTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    deposits: DepositRow;
    mintRules: MintRuleRow;
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
  mintRules: {
    target: mintRuleTarget,
    place: '/selfCustody/deposit',
    read: async ({ deposits }, ids) => (await deposits.policies()).rules.filter(({ id }) => ids.includes(id)),
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.deposit': '充值 deposits mint',
  'deposits.add': '登记 充值 record create new',
  'deposits.edit': '编辑 更正 change update',
  'deposits.approve': '同意 复核 four eyes yes',
  'deposits.confirm': '铸造 放行 mint',
  'deposits.retryMint': '再试 again',
  'deposits.delete': '移除 remove',
  'deposits.open': '详情 details view',
  'deposits.copyHash': '拷贝 txid clipboard',
  'deposits.toApprove': '待办 待确认 queue waiting inbox',
  'deposits.addRule': '限额 四眼 policy limit approvals new',
  'deposits.editRule': '限额 四眼 policy limit approvals change',
  'deposits.deleteRule': '限额 四眼 policy limit remove',
  'deposits.policies': '限额 四眼 policies limits',
  'deposits.cancelMint': '停止 撤销 stop abort',
  'deposits.closeFailed': '失败 重新登记 failed record again',
} as const satisfies Aliases;
