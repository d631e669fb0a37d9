import { formatBtc } from '../../../api/money.ts';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    withdrawals: WithdrawalRow;
  }
}

export const withdrawalTarget = targetOf(
  'withdrawals',
  ({ amount, receiver }) => `${formatBtc(BigInt(amount))} BTC → ${receiver}`,
);

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
