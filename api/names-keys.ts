import type { Name } from './names.ts';

/** Names of what is done with shortcuts and paper: they come with the other commands, after the first load. */
export const keysNames = {
  'keys.edit': { zh: '修改快捷键', en: 'Change shortcuts' },
  'keys.preset': { zh: '选择快捷键方案', en: 'Choose a shortcut preset' },
  'keys.reset': { zh: '恢复默认快捷键', en: 'Reset all shortcuts' },
  'keys.export': { zh: '导出快捷键', en: 'Export shortcuts' },
  'keys.import': { zh: '导入快捷键', en: 'Import shortcuts' },
  'keys.tips': { zh: '开关快捷键提示', en: 'Turn shortcut tips on or off' },
  'page.print': { zh: '打印本页', en: 'Print this page' },
} as const satisfies Record<string, Name>;
