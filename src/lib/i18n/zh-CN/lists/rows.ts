export const rows = {
  unseen: '{{text}} · 不在当前筛选结果中',
  show: '查看记录',
  part: '所选 {{all}} 条中可执行 {{n}} 条，其余 {{left}} 条无法执行：',
  noFilter: '该列表不支持筛选',
  like: '按此行筛选',
  onlyThese: '只看',
  notThese: '排除',
  only: '只看 {{label}}：{{value}}',
  not: '排除 {{label}}：{{value}}',
};
