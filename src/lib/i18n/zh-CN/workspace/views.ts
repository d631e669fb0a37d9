/** 保存的列表视图。 */
export const views = {
  title: '视图',
  none: '还没有保存的视图：先筛选和排序，再命名保存。',
  open: '（当前）',
  field: { view: '视图', name: '视图名称' },
  kinds: {
    view: '保存的视图',
  },
};
