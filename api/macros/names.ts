import type { Name } from '../naming.ts';

export const macroNames = {
  'history.open': { zh: '打开我的操作历史', en: 'Open my history' },
  'macros.add': { zh: '将最近步骤存为宏', en: 'Save last steps as macro' },
  'macros.run': { zh: '执行宏', en: 'Run macro' },
  'macros.open': { zh: '管理宏', en: 'Manage macros' },
} as const satisfies Record<string, Name>;
