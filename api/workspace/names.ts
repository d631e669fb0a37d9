import { goIdOf, type GoId } from '../go.ts';
import { allScreens, type ScreenPath } from '../menu.ts';
import type { Name } from '../naming.ts';

const going = Object.fromEntries(
  allScreens()
    .filter(({ children }) => !children)
    .map((node) => [
      goIdOf(node.path as ScreenPath),
      { zh: `前往${/^\w/.test(node.zh) ? ' ' : ''}${node.zh}`, en: `Go to ${node.en}` },
    ]),
) as Record<GoId, Name>;

/** Not needed for the first paint. */
export const workspaceNames = {
  ...going,

  'list.next': { zh: '下一行', en: 'Next row' },
  'list.previous': { zh: '上一行', en: 'Previous row' },
  'list.first': { zh: '第一行', en: 'First row' },
  'list.last': { zh: '最后一行', en: 'Last row' },
  'list.open': { zh: '打开此行', en: 'Open row' },
  'list.toggle': { zh: '选择或取消选择此行', en: 'Select or deselect row' },
  'list.extendDown': { zh: '向下扩展选择', en: 'Extend selection down' },
  'list.extendUp': { zh: '向上扩展选择', en: 'Extend selection up' },
  'list.selectAll': { zh: '选择所有已加载的行', en: 'Select all loaded rows' },
  'list.clear': { zh: '清除选择', en: 'Clear selection' },
  'list.filter': { zh: '搜索列表', en: 'Search list' },
  'list.addFilter': { zh: '筛选列表', en: 'Filter list' },
  'list.like': { zh: '按此行的值筛选', en: 'Filter by this row’s values' },
  'list.clearFilter': { zh: '清除筛选', en: 'Clear filter' },
  'list.refresh': { zh: '刷新列表', en: 'Refresh list' },
  'list.columns': { zh: '选择显示的列', en: 'Choose columns' },
  'list.resetColumns': { zh: '恢复默认列', en: 'Restore default columns' },
  'list.arrivals': { zh: '显示新记录', en: 'Show new records' },
  'list.copy': { zh: '复制此行', en: 'Copy row' },

  'keys.single': { zh: '开启或关闭单键快捷键', en: 'Turn single-key shortcuts on or off' },
  'history.repeat': { zh: '重复执行上一条命令', en: 'Repeat last command' },
  'history.undo': { zh: '撤销', en: 'Undo' },
  'sidebar.toggle': { zh: '收起或展开侧栏', en: 'Collapse or expand sidebar' },

  'list.selectMatching': { zh: '选择符合筛选条件的全部记录', en: 'Select all matching' },
  'batch.stop': { zh: '停止批量操作', en: 'Stop batch' },
  'batch.retry': { zh: '重试失败的记录', en: 'Retry failed records' },
  'batch.close': { zh: '关闭批量报告', en: 'Dismiss batch report' },
  'views.open': { zh: '打开保存的视图', en: 'Open saved view' },
  'views.save': { zh: '保存当前视图', en: 'Save this view' },
  'views.rename': { zh: '重命名视图', en: 'Rename view' },
  'views.delete': { zh: '删除视图', en: 'Delete view' },
  'views.copyLink': { zh: '复制视图链接', en: 'Copy view link' },

  'history.open': { zh: '打开我的操作历史', en: 'Open my history' },
  'macros.add': { zh: '将最近步骤存为宏', en: 'Save last steps as macro' },
  'macros.run': { zh: '执行宏', en: 'Run macro' },
  'macros.open': { zh: '管理宏', en: 'Manage macros' },

  'qa.toggle': { zh: '显示或隐藏高级与测试功能', en: 'Show or hide QA and expert features' },

  'keys.edit': { zh: '修改快捷键', en: 'Change shortcuts' },
  'keys.reset': { zh: '恢复默认快捷键', en: 'Reset all shortcuts' },
  'keys.export': { zh: '导出快捷键', en: 'Export shortcuts' },
  'keys.import': { zh: '导入快捷键', en: 'Import shortcuts' },
  'values.exact': { zh: '显示精确值', en: 'Show exact values' },
  'page.print': { zh: '打印本页', en: 'Print this page' },

  'record.whole': { zh: '展开或收起打开的记录', en: 'Expand or collapse the open record' },
  'record.close': { zh: '关闭打开的记录', en: 'Close the open record' },
  'record.next': { zh: '下一条记录', en: 'Next record' },
  'record.previous': { zh: '上一条记录', en: 'Previous record' },
  'panel.reload': { zh: '刷新页面', en: 'Reload page' },

  'qa.record': { zh: '开始录制操作', en: 'Start recording actions' },
  'qa.expect': { zh: '录制预期结果', en: 'Record an expected result' },
  'qa.stopRecording': { zh: '停止录制并查看脚本', en: 'Stop recording and show script' },
} as const satisfies Record<string, Name>;
