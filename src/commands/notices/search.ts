import type { NoticeRow } from '../../../api/notices/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { noticeTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    notices: NoticeRow;
  }
}

export const records = {
  notices: {
    target: noticeTarget,
    place: '/notices',
    read: ({ notices }, ids) => notices.many({ ids }),
    open: 'notices.open',
    by: ['words', 'id'],
    find: async ({ notices }, q) => (await notices.list({ ...newest, filter: { q } })).rows,
    note: ({ createdAt }) => formatTime(createdAt),
    restored: {
      as: 'notice',
      by: 'notices.restore',
      read: ({ notices }, ids, options) => notices.versions({ ids }, options),
    },
  },
} as const satisfies RecordKinds;

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
