import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { withdrawalTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    withdrawals: WithdrawalRow;
  }
}

export const records = {
  withdrawals: {
    target: withdrawalTarget,
    place: '/selfCustody/withdraw',
    read: ({ withdrawals }, ids) => withdrawals.many({ ids }),
    open: 'withdrawals.open',
    by: ['address', 'hash', 'bitcoin', 'id'],
    find: async ({ withdrawals }, text, clues) => {
      const isHash = clues.includes('hash') && !clues.includes('address');
      const filter = isHash
        ? { hash: text.replace(/:\d+$/, '') }
        : clues.includes('bitcoin')
          ? { receiver: text }
          : { address: text };
      return (await withdrawals.list({ ...newestFirst, filter })).rows;
    },
    note: ({ address }) => address,
  },
} as const satisfies RecordKinds;

const resourceAliases = '提币 出金 提款 payout cash-out';

export const aliases = {
  'go.withdraw': '退款 提币 出金 提款 赎回 打款 refund payout redemption cash-out',
  'withdrawals.add': `${resourceAliases} ${commonAliases.add} 打款 转账 登记 redeem send`,
  'withdrawals.signRefund': `${resourceAliases} 赎回 审批 批准 签字 同意退款 authorize consent`,
  'withdrawals.requestRefund': `${resourceAliases} 赎回 发起退款 请求退款 发起 提交 redeem bridge start submit`,
  'withdrawals.confirmRefund': `${resourceAliases} 赎回 打款 放款 付款 完成退款 redeem bridge cooled pay release`,
  'withdrawals.cancel': `${resourceAliases} 取消 放弃 撤回 撤销 驳回 拒绝 void abort reject give-up`,
  'withdrawals.open': `${resourceAliases} ${commonAliases.open}`,
  'withdrawals.copyReceiver': `${resourceAliases} 拷贝 比特币地址 收款人 clipboard bitcoin btc`,
  'withdrawals.explore': `${resourceAliases} ${commonAliases.explore}`,
  'withdrawals.offerAgain': `${resourceAliases} 重试 重新提交 再次申请 再来一次 retry resubmit release gone`,
} as const satisfies Aliases;
