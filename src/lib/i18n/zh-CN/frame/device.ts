export const device = {
  waiting: {
    connect: '等待 {{device}}：请在钱包中同意或拒绝连接',
    switch: '等待 {{device}}：请在钱包中同意或拒绝切换网络',
    sign: '等待 {{device}}：请在钱包中签署或拒绝',
    send: '等待 {{device}}：请在钱包中确认或拒绝交易',
    passkey: '等待通行密钥：请按浏览器或密码管理器的提示操作',
  },
  repeated: '{{waiting}}。钱包中可能还有更早的请求，请拒绝更早的请求',
  stop: '停止等待',
  stopped: '已停止等待钱包',
  none: '没有等待处理的钱包或通行密钥请求',
  lateSend: '停止等待后，交易仍已发送。钱包中如还有同一操作的请求，请拒绝。{{hash}}',
  lateSign: '停止等待后，钱包完成了签名，该签名未使用',
};
