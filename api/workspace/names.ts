import type { Name } from '../names.ts';

/** Commands of the panel itself that no first paint needs: they come with the others, after the first load. */
export const workspaceNames = {
  // Many records at once, and the views of lists that people keep
  'list.selectMatching': { zh: '选择符合筛选条件的全部记录', en: 'Select all that match' },
  'batch.stop': { zh: '停止批量操作', en: 'Stop the batch' },
  'batch.retry': { zh: '重试未完成的记录', en: 'Retry those not done' },
  'batch.close': { zh: '收起批量报告', en: 'Put the batch report away' },
  'views.open': { zh: '打开保存的视图', en: 'Open a saved view' },
  'views.save': { zh: '保存当前视图', en: 'Save this view' },
  'views.rename': { zh: '重命名视图', en: 'Rename a view' },
  'views.delete': { zh: '删除视图', en: 'Delete a view' },
  'views.copyLink': { zh: '复制视图链接', en: 'Copy a view’s link' },

  // What was done, and what is done again: history, macros
  'history.open': { zh: '打开操作记录', en: 'Open the history' },
  'macros.add': { zh: '把最近的步骤存为宏', en: 'Save the last steps as a macro' },
  'macros.run': { zh: '执行宏', en: 'Run a macro' },
  'macros.open': { zh: '管理宏', en: 'Manage macros' },

  // Shortcuts and paper
  'keys.edit': { zh: '修改快捷键', en: 'Change shortcuts' },
  'keys.preset': { zh: '选择快捷键方案', en: 'Choose a shortcut preset' },
  'keys.reset': { zh: '恢复默认快捷键', en: 'Reset all shortcuts' },
  'keys.export': { zh: '导出快捷键', en: 'Export shortcuts' },
  'keys.import': { zh: '导入快捷键', en: 'Import shortcuts' },
  'keys.tips': { zh: '开关快捷键提示', en: 'Turn shortcut tips on or off' },
  'page.print': { zh: '打印本页', en: 'Print this page' },

  // The open record, the page itself
  'record.next': { zh: '下一条记录', en: 'Next record' },
  'record.previous': { zh: '上一条记录', en: 'Previous record' },
  'panel.reload': { zh: '重新加载面板', en: 'Reload the panel' },

  // Whoever tests the panel
  'qa.record': { zh: '开始录制操作', en: 'Record what I do' },
  'qa.stopRecording': { zh: '停止录制并查看脚本', en: 'Stop recording and show the script' },
} as const satisfies Record<string, Name>;
