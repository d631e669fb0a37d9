import type { NoticeRow } from '../../../api/notices/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
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
    find: async ({ notices }, q) => (await notices.list({ ...newestFirst, filter: { q } })).rows,
    note: ({ createdAt }) => formatTime(createdAt),
    restored: {
      as: 'notice',
      by: 'notices.restore',
      read: ({ notices }, ids, options) => notices.versions({ ids }, options),
    },
  },
} as const satisfies RecordKinds;

const resourceAliases = '通知 通告 announcement';

export const aliases = {
  'go.notices': '通知 通告 公示 站内信 announcement bulletin banner',
  'notices.add': `${resourceAliases} ${commonAliases.add} 发布 发 写 publish post write`,
  'notices.edit': `${resourceAliases} ${commonAliases.edit}`,
  'notices.show': `${resourceAliases} ${commonAliases.show}`,
  'notices.hide': `${resourceAliases} ${commonAliases.hide}`,
  'notices.delete': `${resourceAliases} ${commonAliases.delete}`,
  'notices.bin': '回收站 垃圾箱 找回 bin trash recycle-bin',
  'notices.restore': `${resourceAliases} ${commonAliases.restore}`,
  'notices.preview': `${resourceAliases} 官网 效果 样子 手机 website desktop mobile look`,
  'notices.open': `${resourceAliases} ${commonAliases.open}`,
} as const satisfies Aliases;
