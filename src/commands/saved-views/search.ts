import type { Aliases } from '../engine/resource.ts';

export const aliases = {
  'views.open': '视图 书签 常用筛选 收藏夹 bookmark preset favorite',
  'views.save': '收藏 书签 存为视图 常用筛选 bookmark preset keep filter',
  'views.rename': '视图改名 改名 书签 bookmark preset name',
  'views.delete': '移除视图 书签 取消收藏 bookmark preset remove',
  'views.copyLink': '分享视图 分享 发给同事 网址 share url send bookmark',
} as const satisfies Aliases;
