import type { NewsRow } from '../../../api/news/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    news: NewsRow;
  }
}

export const newsTarget = targetOf('news', ({ title }) => title);

export const records = {
  news: {
    target: newsTarget,
    place: '/news',
    read: ({ news }, ids) => news.many({ ids }),
    open: 'news.open',
    by: ['words', 'id'],
    find: async ({ news }, q) => (await news.list({ ...newest, sort: 'time', filter: { q } })).rows,
    note: ({ time }) => formatTime(time),
    restored: {
      as: 'news',
      by: 'news.restore',
      read: ({ news }, ids, options) => news.versions({ ids }, options),
    },
  },
} as const satisfies RecordKinds;
