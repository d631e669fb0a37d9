/** Shared confirmation texts by verb. A resource overrides only what differs. */
export const ask = {
  show: { title: '确定展示{{these}}？', act: '展示{{noun}}' },
  hide: { title: '确定隐藏{{these}}？', act: '隐藏{{noun}}' },
  enable: { title: '确定启用{{these}}？', act: '启用{{noun}}' },
  disable: { title: '确定停用{{these}}？', act: '停用{{noun}}' },
  delete: { title: '确定删除{{these}}？', act: '删除{{noun}}' },
  restore: { title: '确定恢复到此版本？', act: '恢复到此版本', body: '将保存为新版本。' },
  startImport: { act: '开始导入' },
  undoImport: { title: '确定撤销本次导入？', act: '撤销导入' },
};
