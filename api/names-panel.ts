import type { Name } from './names.ts';

/** Commands of the panel itself that no first paint needs. */
export const panelNames = {
  'record.next': { zh: '下一条记录', en: 'Next record' },
  'record.previous': { zh: '上一条记录', en: 'Previous record' },
  'panel.reload': { zh: '重新加载面板', en: 'Reload the panel' },
} satisfies Record<string, Name>;
