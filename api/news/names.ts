import type { Functions, Name } from '../naming.ts';

export const newsNames = {
  'news.add': { zh: '新增新闻', en: 'Add news' },
  'news.edit': { zh: '编辑新闻', en: 'Edit news' },
  'news.delete': { zh: '删除新闻', en: 'Delete news' },
  'news.show': { zh: '展示新闻', en: 'Show news' },
  'news.hide': { zh: '隐藏新闻', en: 'Hide news' },
  'news.get': { zh: '获取新闻', en: 'Get News' },
  'news.open': { zh: '查看新闻', en: 'Open news' },
  'news.preview': { zh: '预览新闻', en: 'Preview news' },
  'news.copyImage': { zh: '复制图片链接', en: 'Copy image link' },
  'news.join': { zh: '合并中英文新闻', en: 'Join Chinese and English news' },
  'news.undoJoin': { zh: '撤销新闻合并', en: 'Undo news join' },
  'news.restore': { zh: '恢复新闻的历史版本', en: 'Restore an earlier version of news' },
  'news.bin': { zh: '已删除的新闻', en: 'Deleted news' },
} as const satisfies Record<string, Name>;

export const newsFunctions = {
  '/news': ['news.add', 'news.edit', 'news.delete', 'news.show', 'news.hide', 'news.get', 'news.restore'],
} as const satisfies Functions<typeof newsNames>;
