import type { Name } from '../names.ts';

/** Names of the withdrawals' commands and of the wallet's: they come with the screen. */
export const withdrawalNames = {
  'withdrawals.add': { zh: '新增提现', en: 'Add withdrawal' },
  'withdrawals.requestRefund': { zh: '请求退款', en: 'Request refund' },
  'withdrawals.confirmRefund': { zh: '确认退款', en: 'Confirm refund' },
  'withdrawals.cancel': { zh: '取消提现', en: 'Cancel withdrawal' },
  'withdrawals.offerAgain': { zh: '重新开放请求', en: 'Offer the request again' },
  'withdrawals.open': { zh: '查看提现', en: 'Open withdrawal' },
  'withdrawals.copyReceiver': { zh: '复制收款地址', en: 'Copy receiving address' },

  'evm.connect': { zh: '连接EVM钱包', en: 'Connect EVM wallet' },
  'evm.disconnect': { zh: '断开EVM钱包', en: 'Disconnect EVM wallet' },
  'evm.switchChain': { zh: '切换钱包网络', en: "Switch the wallet's chain" },
} as const satisfies Record<string, Name>;
