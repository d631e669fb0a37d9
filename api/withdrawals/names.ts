import type { Functions, Name } from '../naming.ts';

export const withdrawalNames = {
  'withdrawals.add': { zh: '新增提现', en: 'Add withdrawal' },
  'withdrawals.signRefund': { zh: '签署退款', en: 'Sign refund' },
  'withdrawals.requestRefund': { zh: '申请退款', en: 'Request refund' },
  'withdrawals.confirmRefund': { zh: '确认退款', en: 'Confirm refund' },
  'withdrawals.cancel': { zh: '作废提现', en: 'Void withdrawal' },
  'withdrawals.offerAgain': { zh: '允许重新申请退款', en: 'Allow a second refund request' },
  'withdrawals.open': { zh: '查看提现', en: 'Open withdrawal' },
  'withdrawals.copyReceiver': { zh: '复制收款地址', en: 'Copy receiving address' },
  'withdrawals.explore': { zh: '在区块浏览器中查看提现', en: 'View withdrawal in a block explorer' },
} as const satisfies Record<string, Name>;

export const withdrawalFunctions = {
  '/selfCustody/withdraw': [
    'withdrawals.add',
    'withdrawals.signRefund',
    'withdrawals.requestRefund',
    'withdrawals.confirmRefund',
    'withdrawals.offerAgain',
    'withdrawals.cancel',
  ],
} as const satisfies Functions<typeof withdrawalNames>;
