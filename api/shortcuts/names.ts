import type { Name } from '../naming.ts';

export const shortcutNames = {
  'keys.edit': { zh: '修改快捷键', en: 'Change shortcuts' },
  'keys.reset': { zh: '恢复默认快捷键', en: 'Reset all shortcuts' },
  'keys.export': { zh: '导出快捷键', en: 'Export shortcuts' },
  'keys.import': { zh: '导入快捷键', en: 'Import shortcuts' },
} as const satisfies Record<string, Name>;
