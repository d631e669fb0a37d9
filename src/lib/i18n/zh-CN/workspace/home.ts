export const home = {
  title: '待办事项',
  nothing: '目前没有等待您处理的事项。',
  unread: '待办加载失败，请重试。',
  more: '{{count}} 以上',
  waiting: {
    freeze: '资金操作已暂停',
    nearTrigger: '接近或低于触发抵押率的 CRSM',
    staleFigures: '数据未刷新的 CRSM',
    failedMints: '铸造失败的存款：待重试或关闭',
    cancelledMints: '铸造已取消的存款：待关闭',
    statements: '待我签署的声明',
    deposits: '等待确认的存款',
    withdrawals: '冷却已结束的提现',
    feedback: '未处理的反馈',
  },
};
