export const wallet = {
  title: '连接钱包',
  bindIntro: '请在钱包中签署一条消息，证明该地址属于您。之后可用该钱包登录。',
  looking: '正在查找钱包…',
  choose: '请选择钱包',
  waitConnect: '请查看钱包：{{name}} 正在请求连接。',
  waitSign: '请查看钱包：{{name}} 正在请求签署消息，不收费用，也不会转移资产。',
  install: '未检测到比特币钱包。请安装 UniSat、OKX Wallet 或 Xverse，然后刷新页面。',
  network: { mainnet: '比特币主网', testnet: '比特币测试网', signet: '比特币 Signet', regtest: '比特币 Regtest' },
  failed: {
    network: '钱包处于其他网络，请切换到 {{network}}。',
    rejected: '您已在钱包中拒绝，未签署任何内容。',
    pending: '钱包中有未处理的请求，请先处理再重试。',
    unsupported: '该钱包不支持此操作，请更新或使用其他钱包。',
    failed: '钱包返回异常，请重试；仍失败请更新或更换钱包。',
    signature: '签名未通过验证，请重试。',
  },
};
