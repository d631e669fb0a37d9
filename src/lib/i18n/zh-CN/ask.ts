/** What a command asks before it runs, and what its button says. Keyed by the command's id. */
export const ask = {
  account: {
    removeTotp: {
      title: '停用身份验证器应用？',
      act: '停用',
      body: '其验证码将不能再用于登录。若没有其他第二因素，恢复码也会失效。',
    },
    newRecoveryCodes: { title: '更换恢复码？', act: '更换', body: '现有的恢复码将失效。' },
    removePasskey: { title: '移除此通行密钥？', act: '移除', body: '它将不能再用于登录。' },
    unbindWallet: { title: '解绑您的钱包？', act: '解绑钱包', body: '它将不能再用于登录您的账户。' },
    endSession: { title: '结束此会话？', act: '结束会话', body: '该浏览器需要重新登录。' },
    endOtherSessions: { title: '结束您的所有其他会话？', act: '结束其他会话', body: '仅保留当前浏览器的登录。' },
  },
  administrators: {
    enable: {
      title: ({ count }: { count: number }) => `确定启用这 ${count} 位管理员？`,
      act: ({ count }: { count: number }) => `启用 ${count} 位管理员`,
      body: '启用后可以登录并使用其角色的权限。',
    },
    disable: {
      title: ({ count }: { count: number }) => `确定停用这 ${count} 位管理员？`,
      act: ({ count }: { count: number }) => `停用 ${count} 位管理员`,
      body: '停用后立即结束其所有会话，且无法登录。',
    },
    resetPassword: {
      title: '确定重置这位管理员的密码？',
      act: '发送重置链接',
      body: '将向其邮箱发送一次性链接，24 小时内有效；之前的链接即刻失效。',
    },
    resetFactor: {
      title: '确定重置这位管理员的第二因素？',
      act: '重置第二因素',
      body: '将移除其动态验证码、通行密钥和恢复码，并结束其所有会话。此操作无法撤销。',
    },
    unbindWallet: { title: '确定解绑这位管理员的钱包？', act: '解绑钱包', body: '解绑后无法再用该钱包登录。' },
    endSessions: {
      title: ({ count }: { count: number }) => `确定结束这 ${count} 位管理员的所有会话？`,
      act: '结束所有会话',
      body: '其在所有浏览器中都需要重新登录。',
    },
    delete: {
      title: ({ count }: { count: number }) => `确定删除这 ${count} 位管理员？`,
      act: ({ count }: { count: number }) => `删除 ${count} 位管理员`,
      body: '其会话立即结束，操作记录保留。删除后无法恢复。',
    },
  },
  deposits: {
    cancelMint: { title: '确定取消铸造？', act: '取消铸造', body: '永不签名。之后可关闭此存款并重新登记其输出。' },
    closeFailed: {
      title: '确定关闭此未铸造的存款？',
      act: '关闭存款',
      body: '会向链核实没有铸造、也不会再铸造；之后其输出可重新登记。',
    },
    addRule: { title: '确定新增这条铸造规则？', act: '新增规则', body: '立即对此金额范围内所有未确认的存款生效。' },
    editRule: { title: '确定修改这条铸造规则？', act: '修改规则', body: '立即对此金额范围内所有未确认的存款生效。' },
    deleteRule: { title: '确定删除这条铸造规则？', act: '删除规则', body: '没有规则的金额将不能铸造。' },
    approve: { title: '确定审批此存款？', act: '审批', body: '请仔细核对每一项。审批只对以下内容有效，任何修改都会使其作废。' },
    confirm: {
      title: '请仔细核对后再确认！',
      act: '确认并铸造',
      body: '确认后将按以下内容铸造 YBTC，无法撤销。请逐项核对地址、金额和比特币凭据。',
    },
    retryMint: { title: '确定重试铸造？', act: '重试铸造', body: '会先查明是否已铸造；同一存款不会铸造两次。' },
    delete: {
      title: ({ count }: { count: number }) => `确定删除这 ${count} 笔存款？`,
      act: ({ count }: { count: number }) => `删除 ${count} 笔存款`,
      body: '仅能删除待确认的存款。删除后无法恢复，操作日志保留。',
    },
  },
  feedback: {
    process: {
      title: ({ count }: { count: number }) => `确定将这 ${count} 条反馈标记为已处理？`,
      act: ({ count }: { count: number }) => `处理 ${count} 条反馈`,
    },
    reopen: {
      title: ({ count }: { count: number }) => `确定将这 ${count} 条反馈改回未处理？`,
      act: ({ count }: { count: number }) => `改回 ${count} 条反馈`,
    },
    delete: {
      title: ({ count }: { count: number }) => `确定删除这 ${count} 条反馈？`,
      act: ({ count }: { count: number }) => `删除 ${count} 条反馈`,
      body: '将从列表移除；可在操作日志中恢复。',
    },
    restore: { title: '确定恢复这条反馈？', act: '恢复反馈', body: '连同图片和回复一起恢复，状态与删除前相同。' },
  },
  news: {
    show: {
      title: ({ count }: { count: number }) => `确定展示这 ${count} 条新闻？`,
      act: ({ count }: { count: number }) => `展示 ${count} 条新闻`,
    },
    hide: {
      title: ({ count }: { count: number }) => `确定不再展示这 ${count} 条新闻？`,
      act: ({ count }: { count: number }) => `不展示 ${count} 条新闻`,
    },
    delete: {
      title: ({ count }: { count: number }) => `确定删除这 ${count} 条新闻？`,
      act: ({ count }: { count: number }) => `删除 ${count} 条新闻`,
      body: '将从列表和官网移除；可在操作日志中恢复。',
    },
    restore: {
      title: '确定恢复到这个版本？',
      act: '恢复此版本',
      body: '作为一次新的编辑保存；已删除的新闻恢复后不展示。',
    },
  },
  points: {
    adjust: { title: '确定调整积分？', act: '调整积分', body: '将新增一条不可更改的明细；如有误，可冲销。' },
    reverse: {
      title: ({ count }: { count: number }) => `确定冲销这 ${count} 条明细？`,
      act: ({ count }: { count: number }) => `冲销 ${count} 条明细`,
      body: '每条都会新增一条相反的明细，全部成功或全部不做；冲销后不能再次冲销。',
    },
    startImport: { title: '开始导入积分？', act: '开始导入' },
    undoImport: { title: '整体撤销此导入？', act: '撤销导入', body: '导入的每一笔都会由新的冲销明细抵消，余额回到原样。' },
  },
  airdrops: {
    delete: {
      title: ({ count }: { count: number }) => `确定删除这 ${count} 条空投？`,
      act: ({ count }: { count: number }) => `删除 ${count} 条空投`,
      body: '将从列表移除；可在操作日志中恢复。',
    },
    restore: { title: '确定恢复到这个版本？', act: '恢复此版本', body: '作为一次新的编辑保存。' },
    startImport: { title: '开始导入空投？', act: '开始导入' },
    undoImport: { title: '整体撤销此导入？', act: '撤销导入', body: '导入的空投会全部删除。' },
  },
  teams: {
    startImport: { title: '开始导入团队？', act: '开始导入', body: '同一队长已有的数据会被替换。' },
    undoImport: { title: '整体撤销此导入？', act: '撤销导入', body: '导入的团队会移除，此前的数据恢复。' },
  },
  draws: {
    startImport: { title: '开始导入抽奖？', act: '开始导入' },
    undoImport: { title: '整体撤销此导入？', act: '撤销导入', body: '导入的抽奖会全部删除。' },
  },
  dataPanel: {
    freezeMoney: { title: '确定冻结资金？', act: '冻结资金', body: '确认、签名和发送立即停止，已确认的也等待；须由他人解除。' },
    resolve: {
      title: '确定解除资金冻结？',
      act: '解除冻结',
      body: '差异造成的冻结：接受的只是这一差异，再有变化会重新冻结。',
    },
  },
  notices: {
    show: {
      title: ({ count }: { count: number }) => `确定展示这 ${count} 条公告？`,
      act: ({ count }: { count: number }) => `展示 ${count} 条公告`,
      body: '在其时段内，官网立即展示。',
    },
    hide: {
      title: ({ count }: { count: number }) => `确定不再展示这 ${count} 条公告？`,
      act: ({ count }: { count: number }) => `不展示 ${count} 条公告`,
    },
    delete: {
      title: ({ count }: { count: number }) => `确定删除这 ${count} 条公告？`,
      act: ({ count }: { count: number }) => `删除 ${count} 条公告`,
      body: '将从列表和官网移除；可在操作日志中恢复。',
    },
    restore: {
      title: '确定恢复到这个版本？',
      act: '恢复此版本',
      body: '作为一次新的编辑保存；已删除的公告恢复后不展示。',
    },
  },
  crsm: {
    create: { title: '为此仓位创建 CRSM？', act: '创建 CRSM', body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。' },
    deposit: { title: '向此 CRSM 存入 YU？', act: '存入', body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。' },
    withdrawFromSP: { title: '从稳定池提取 YU？', act: '提取', body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。' },
    claimYield: {
      title: '领取 {{count}} 个 CRSM 的收益？',
      act: '领取收益',
      body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。',
    },
    claimAllCollateralGains: {
      title: '领取 {{count}} 个 CRSM 的全部抵押收益？',
      act: '领取抵押收益',
      body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。',
    },
    updateCR: { title: '更新此 CRSM 的抵押率？', act: '更新抵押率', body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。' },
    commitDebtGasCompensation: {
      title: '提交新的 debtGasCompensation？',
      act: '提交',
      body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。',
    },
    acceptDebtGasCompensation: {
      title: '接受待定的 debtGasCompensation？',
      act: '接受',
      body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。',
    },
    withdraw: { title: '提取闲置的 YU？', act: '提取', body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。' },
    repay: { title: '偿还此仓位的债务？', act: '偿还', body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。' },
  },
  withdrawals: {
    add: { title: '新增此提现？', act: '新增提现', body: '请逐位核对收款地址：比特币一经发出无法追回。' },
    requestRefund: { title: '从您的钱包请求退款？', act: '请求退款', body: '钱包将请您签署以下内容，请与钱包显示的逐项比对。' },
    confirmRefund: {
      title: '从您的钱包确认退款？',
      act: '确认退款',
      body: 'YBTC 将被销毁并支付比特币。请与钱包显示的逐项比对。',
    },
    offerAgain: { title: '允许再次请求？', act: '重新开放请求', body: '同一存款的两次请求会被支付两次，请确认第一次已不存在。' },
    cancel: { title: '取消此提现？', act: '取消提现', body: '链上尚无任何记录，此存款可重新提现。' },
  },
  session: { signOut: { title: '确认退出登录', act: '退出登录' } },
  roles: {
    delete: {
      title: ({ count }: { count: number }) => `确定删除这 ${count} 个角色？`,
      act: ({ count }: { count: number }) => `删除 ${count} 个角色`,
      body: '仍有人拥有的角色不能删除。删除后无法恢复。',
    },
  },
  permissions: {
    delete: { title: '确定删除此节点及其下的所有节点？', act: '删除节点', body: '重新新增的同名标识不会带回原有的授权。' },
    reset: { title: '确定恢复内置权限树？', act: '恢复内置权限树', body: '仍存在的节点保留各角色的授权。' },
  },
};
