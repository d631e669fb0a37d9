/** 针对多条记录的命令：确认、进度，以及每条记录的结果。 */
export const batch = {
  title: '批量操作',
  choose: '选择符合条件的全部 {{n}} 条',
  wholeBody: '将处理符合筛选条件的全部 {{n}} 条记录，每批 {{max}} 条。可随时停止，已完成的不会回退。',
  wideBody: '每批处理 {{max}} 条，可随时停止，已完成的不会回退。',
  noUndo: '一次最多撤销 {{max}} 条。',
  busy: '另一项批量操作正在进行，请等待或先停止',
  running: '成功 {{done}}，失败 {{failed}}，剩余 {{left}}',
  stopping: '当前一批完成后停止：成功 {{done}}，失败 {{failed}}',
  finished: '已完成 {{done}} / {{all}}',
  stop: '停止批量操作',
  close: '关闭报告',
  progress: '批量进度',
  retry: '重试失败的 {{n}} 条',
  state: { waiting: '等待中', working: '进行中', done: '完成', failed: '失败', skipped: '未执行' },
  blocked: {
    none: '没有可处理的批量操作',
    notHere: '该列表不支持批量操作',
    unknown: '匹配数量未知，请缩小筛选范围',
    tooMany: '每次最多 {{max}} 条，请缩小筛选范围',
  },
};
