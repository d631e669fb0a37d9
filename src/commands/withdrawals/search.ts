import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
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
      return (await withdrawals.list({ ...newest, filter })).rows;
    },
    note: ({ address }) => address,
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.withdraw': '退款 withdrawals refund',
  'withdrawals.add': '赎回 提款 redeem new',
  'withdrawals.requestRefund': '赎回 提款 redeem bridge',
  'withdrawals.confirmRefund': '赎回 提款 redeem bridge cooled',
  'withdrawals.cancel': '放弃 撤回 give up',
  'withdrawals.open': '详情 details show',
  'withdrawals.copyReceiver': '拷贝 clipboard bitcoin',
  'withdrawals.explore': '链上 etherscan mempool scan on chain',
  'withdrawals.offerAgain': '重试 retry release gone',
} as const satisfies Aliases;
