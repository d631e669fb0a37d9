import type { DepositRow } from '../../../api/deposits/contract.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
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
    find: async ({ deposits }, q) => (await deposits.list({ ...newestFirst, filter: { q } })).rows,
    note: ({ userAddress }) => userAddress,
  },
} as const satisfies RecordKinds;

const resourceAliases = '充值 入金 充币 top-up';

export const aliases = {
  'go.deposit': '充值 入金 充币 审核 审批 铸造 到账 mint inflow top-up approve sign-off',
  'deposits.add': `${resourceAliases} ${commonAliases.add} 登记 登记存款 record register`,
  'deposits.edit': `${resourceAliases} ${commonAliases.edit} 更正 correct`,
  'deposits.confirm': `${resourceAliases} 铸造 放行 审批 审核 通过 同意 签署 复核 到账 确认到账 四眼 mint approve sign-off release four-eyes yes`,
  'deposits.revokeSignature': `${resourceAliases} 撤销签署 取消签署 签错 反悔 签名 withdraw signature unsign cancel signature`,
  'deposits.retryMint': `${resourceAliases} 再试 重新铸造 重发 补发 again remint resend`,
  'deposits.delete': `${resourceAliases} ${commonAliases.delete}`,
  'deposits.open': `${resourceAliases} ${commonAliases.open}`,
  'deposits.copyHash': `${resourceAliases} 拷贝 交易号 txid clipboard transaction`,
  'deposits.explore': `${resourceAliases} ${commonAliases.explore}`,
  'deposits.toConfirm': `${resourceAliases} 待办 待审核 待复核 待审批 审核 我的待办 approve queue waiting inbox todo pending approval`,
  'deposits.cancelMint': `${resourceAliases} 停止 取消铸造 撤销 驳回 拒绝 作废 不通过 stop abort reject deny void decline`,
  'deposits.unblock': `${resourceAliases} 解封 放行 解除 恢复 托管拒绝 release unlock rejected custodian`,
  'deposits.closeFailed': `${resourceAliases} 失败 重新登记 结束 作废 failed record again abandon`,
} as const satisfies Aliases;
