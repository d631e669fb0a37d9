import type { Name } from './names.ts';

/** Commands of the panel itself that no first paint needs. */
export const panelNames = {
  'panel.reload': { zh: '重新加载面板', en: 'Reload the panel' },
} satisfies Record<string, Name>;
