import type { Aliases } from '../engine/resource.ts';

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.withdraw': '退款 withdrawals refund',
  'withdrawals.add': '赎回 提款 redeem new',
  'withdrawals.requestRefund': '赎回 提款 redeem bridge',
  'withdrawals.confirmRefund': '赎回 提款 redeem bridge cooled',
  'withdrawals.cancel': '放弃 撤回 give up',
  'withdrawals.open': '详情 details show',
  'withdrawals.copyReceiver': '拷贝 clipboard bitcoin',
  'withdrawals.offerAgain': '重试 retry release gone',
} as const satisfies Aliases;
