import type { Name } from './names.ts';

/** Commands on many records, and the views of lists that people keep. */
export const batchNames = {
  'list.selectMatching': { zh: '选择符合筛选条件的全部记录', en: 'Select all that match' },
  'batch.stop': { zh: '停止批量操作', en: 'Stop the batch' },
  'batch.retry': { zh: '重试未完成的记录', en: 'Retry those not done' },
  'batch.close': { zh: '收起批量报告', en: 'Put the batch report away' },
  'views.open': { zh: '打开保存的视图', en: 'Open a saved view' },
  'views.save': { zh: '保存当前视图', en: 'Save this view' },
  'views.rename': { zh: '重命名视图', en: 'Rename a view' },
  'views.delete': { zh: '删除视图', en: 'Delete a view' },
  'views.copyLink': { zh: '复制视图链接', en: 'Copy a view’s link' },
} as const satisfies Record<string, Name>;
