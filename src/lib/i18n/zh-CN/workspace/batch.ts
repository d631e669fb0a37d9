/** 针对多条记录的命令：确认、进度，以及每条记录的结果。 */
export const batch = {
  title: '批量操作',
  choose: '选择符合条件的全部 {{n}} 条',
  wholeBody: '将作用于符合筛选条件的全部 {{n}} 条记录，每批 {{max}} 条。可随时停止，已完成的不会撤回。',
  wideBody: '每批 {{max}} 条，可随时停止，已完成的不会撤回。',
  noUndo: '超过 {{max}} 条时无法一次撤销。',
  busy: '另一批操作正在进行：请等待或先停止',
  running: '完成 {{done}}，未成功 {{failed}}，剩余 {{left}}',
  stopping: '当前一批结束后停止：完成 {{done}}，未成功 {{failed}}',
  finished: '完成 {{done}} / {{all}}',
  stop: '停止',
  close: '收起报告',
  progress: '批量进度',
  retry: '重试未完成的 {{n}} 条',
  state: { waiting: '等待', working: '进行中', done: '完成', failed: '失败', skipped: '未执行' },
  blocked: {
    none: '没有可处理的批量操作',
    notHere: '此列表不支持',
    unknown: '匹配的准确数量未知，请缩小筛选范围',
    tooMany: '一次最多 {{max}} 条，请缩小筛选范围',
  },
};
