import type { Aliases } from '../engine/resource.ts';

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.news': '资讯 articles',
  'news.add': '添加 发布 创建 create new publish',
  'news.edit': '修改 change update',
  'news.delete': '移除 remove',
  'news.show': '显示 上线 visible publish',
  'news.hide': '隐藏 下线 hide unpublish not show',
  'news.get': '导入 抓取 import feed rss',
  'news.open': '详情 details view',
  'news.copyImage': '拷贝 url',
  'news.restore': '还原 历史 version history',
} as const satisfies Aliases;
