import type { Name } from '../naming.ts';

export const viewNames = {
  'views.open': { zh: '打开保存的视图', en: 'Open saved view' },
  'views.save': { zh: '保存当前视图', en: 'Save this view' },
  'views.rename': { zh: '重命名视图', en: 'Rename view' },
  'views.delete': { zh: '删除视图', en: 'Delete view' },
  'views.copyLink': { zh: '复制视图链接', en: 'Copy view link' },
} as const satisfies Record<string, Name>;
