export const home = {
  title: '待办事项',
  nothing: '暂无待办事项。',
  unread: '待办加载失败，请重试。',
  recent: '最近打开',
  noRecent: '您打开的记录会显示在此。',
  waiting: {
    freeze: '资金操作已暂停',
    nearTrigger: '接近或达到触发抵押率的 CRSM',
    staleFigures: '数据未刷新的 CRSM',
    failedMints: '铸造失败，待重试或关闭的存款',
    canceledMints: '铸造已作废，待关闭的存款',
    statements: '待我签署的授权单',
    deposits: '待确认的存款',
    refunds: '待我签署的退款',
    withdrawals: '冷却结束，待确认的提现',
    feedback: '未处理的反馈',
  },
};
