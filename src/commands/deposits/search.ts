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

const searchWords = '充值 入金 充币 top-up';

export const aliases = {
  'go.deposit': '充值 入金 充币 审核 审批 铸造 到账 mint inflow top-up approve sign-off',
  'deposits.add': `${searchWords} ${commonAliases.add} 登记 登记存款 record register`,
  'deposits.edit': `${searchWords} ${commonAliases.edit} 更正 correct`,
  'deposits.confirm': `${searchWords} 铸造 放行 审批 审核 通过 同意 签署 复核 到账 确认到账 四眼 mint approve sign-off release four-eyes yes`,
  'deposits.retryMint': `${searchWords} 再试 重新铸造 重发 补发 again remint resend`,
  'deposits.delete': `${searchWords} ${commonAliases.delete}`,
  'deposits.open': `${searchWords} ${commonAliases.open}`,
  'deposits.copyHash': `${searchWords} 拷贝 交易号 txid clipboard transaction`,
  'deposits.explore': `${searchWords} ${commonAliases.explore}`,
  'deposits.toConfirm': `${searchWords} 待办 待审核 待复核 待审批 审核 我的待办 approve queue waiting inbox todo pending approval`,
  'deposits.cancelMint': `${searchWords} 停止 取消铸造 撤销 驳回 拒绝 作废 不通过 stop abort reject deny void decline`,
  'deposits.unblock': `${searchWords} 解封 放行 解除 恢复 托管拒绝 release unlock rejected custodian`,
  'deposits.closeFailed': `${searchWords} 失败 重新登记 结束 作废 failed record again abandon`,
} as const satisfies Aliases;
