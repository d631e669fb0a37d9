/** Specified messages are verbatim (specification §8). */
export const common = {
  success: '操作成功',
  undone: '操作成功 · 撤销：{{what}}',
  happened: '操作成功 · {{what}}',
  named: '“{{name}}”',
  copied: '复制成功',
  sent: '发送成功',
  sentWhat: '发送成功 · {{what}}',
  cancel: '取消',
  back: '返回',
  confirm: '确定',
  close: '关闭',
  retry: '重试',
  undo: '撤销',
  loading: '加载中…',
  moreBelow: '下方还有内容',
};
