import type { Aliases } from '../engine/resource.ts';

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.notices': '通知 announcements',
  'notices.add': '添加 发布 创建 create new publish',
  'notices.edit': '编辑 更改 edit update',
  'notices.show': '显示 上线 visible publish',
  'notices.hide': '隐藏 下线 hide unpublish not show',
  'notices.delete': '移除 remove',
  'notices.restore': '还原 历史 version history',
  'notices.preview': '官网 效果 website desktop mobile',
  'notices.open': '详情 details view',
} as const satisfies Aliases;
