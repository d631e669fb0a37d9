/** Words used everywhere. The specified messages are to the letter (specification §8). */
export const common = {
  success: '操作成功',
  undone: '操作成功 · 撤销：{{what}}',
  happened: '操作成功 · {{what}}',
  named: '“{{name}}”',
  /** What was done to what, by a command's verb. */
  did: {
    add: '已新增{{of}}',
    edit: '已修改{{of}}',
    delete: '已删除{{of}}',
    restore: '已恢复{{of}}',
    show: '已展示{{of}}',
    hide: '已隐藏{{of}}',
    process: '已处理{{of}}',
    reopen: '已将{{of}}改回未处理',
    enable: '已启用{{of}}',
    disable: '已停用{{of}}',
  },
  copied: '复制成功',
  sent: '发送成功',
  cancel: '取消',
  confirm: '确定',
  close: '关闭',
  retry: '重试',
  undo: '撤销',
  loading: '加载中…',
};
