export const signing = {
  field: {
    payout: '打款地址（比特币）',
    payoutOf: '打款地址（比特币）',
    firstNonce: '适用的首个桥 nonce',
    refundAuthors: '提款经手人（不能签署）',
    refundBands: '退款金额分档',
  },
  hint: {
    payout: '每行一个地址。该机构的退款只能打到这些地址。',
  },
  says: {
    refundApprove: '退款 {{amount}} BTC → {{payout}}',
  },
  rules: {
    mint: '铸造：{{band}}',
    refund: '退款：{{band}}',
    noRefunds: '没有退款分档，不能打出比特币',
    refundTitle: '退款',
    mintTitle: '铸造',
  },
  refused: {
    ACCOUNT: '该账户不在地址簿中，或尚未生效。',
    PAYOUT: '该地址不是该机构的打款地址，或尚未生效。请选择地址簿中的打款地址。',
    REFUND_AUTHOR: '您登记或修改过该提款，须由其他人签署。',
    REFUND_DAY_LIMIT: '将超出退款 24 小时限额 {{limit}} BTC。',
  },
};
