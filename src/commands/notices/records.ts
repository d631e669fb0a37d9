import type { NoticeRow } from '../../../api/notices/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    notices: NoticeRow;
  }
}

export const noticeTarget = targetOf('notices', ({ content }) => content);

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
