import type { Name } from './names.ts';

/** What was done, and what is done again: history, macros, links. */
export const historyNames = {
  'history.open': { zh: '打开操作记录', en: 'Open the history' },
  'macros.add': { zh: '把最近的步骤存为宏', en: 'Save the last steps as a macro' },
  'macros.run': { zh: '执行宏', en: 'Run a macro' },
  'macros.open': { zh: '管理宏', en: 'Manage macros' },
} as const satisfies Record<string, Name>;
