export const cli = {
  field: { challenge: '登录请求' },
  challengeHint: '在终端运行 panel login 后显示。',
  machine: '设备名称',
  unverified: '名称由终端填写，未经核实。',
  terminalAddress: '终端 IP 地址',
  browserAddress: '当前浏览器 IP 地址',
  otherNetwork: '终端与当前浏览器的 IP 地址不同。如非您本人在该设备上运行 panel login，请取消。',
  enter: '请输入 panel login 显示的登录请求。',
  gone: '登录请求已过期或已使用，请重新运行 panel login。',
  cannot: '终端不能执行以下操作',
  limits: {
    guarded: '资金、托管、CRSM、权限和审计操作',
    factor: '需要双重验证的操作，例如展示新闻',
    account: '修改密码、双重验证或钱包',
  },
  ends: '终端最长保持登录 {{hours}} 小时，可在“我的账户”中提前退出。',
  loopback: '批准后浏览器将返回本机终端。',
  paste: '批准后将显示用于终端的登录码，请勿告诉任何人。',
  code: {
    enter: '请在终端输入登录码',
    returned: '请返回终端',
    intro: '登录码两分钟内有效，仅可使用一次，请勿告诉任何人。',
    fallback: '如终端未登录，请运行 panel login --paste。',
    close: '关闭登录码',
  },
  ask: {
    approve: {
      title: '确定批准该终端登录？',
      act: '批准登录',
      body: '该终端将以您的身份操作，请仅在您本人运行 panel login 时批准。',
    },
  },
};
