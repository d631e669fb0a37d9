export const views = {
  title: '视图',
  none: '暂无保存的视图。请先筛选和排序，再保存为视图。',
  open: '（当前）',
  field: { view: '视图', name: '视图名称' },
  kinds: {
    view: '保存的视图',
  },
};
