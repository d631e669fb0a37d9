import { goCommandId, type GoId } from '../go-command-ids.ts';
import { listScreens, type ScreenPath } from '../menu.ts';
import type { Name } from '../naming.ts';

const goNames = Object.fromEntries(
  listScreens()
    .filter(({ children }) => !children)
    .map((node) => [
      goCommandId(node.path as ScreenPath),
      { zh: `前往${/^\w/.test(node.zh) ? ' ' : ''}${node.zh}`, en: `Go to ${node.en}` },
    ]),
) as Record<GoId, Name>;

export const panelNames = {
  ...goNames,

  'keys.single': { zh: '开启或关闭单键快捷键', en: 'Turn single-key shortcuts on or off' },
  'history.repeat': { zh: '重复执行上一条命令', en: 'Repeat last command' },
  'session.leaveView': { zh: '退出视角', en: 'Leave view' },
  'history.undo': { zh: '撤销', en: 'Undo' },
  'sidebar.toggle': { zh: '收起或展开侧栏', en: 'Collapse or expand sidebar' },
  'values.exact': { zh: '显示精确值', en: 'Show exact values' },
  'page.print': { zh: '打印本页', en: 'Print this page' },
  'panel.reload': { zh: '刷新页面', en: 'Reload page' },
} as const satisfies Record<string, Name>;
