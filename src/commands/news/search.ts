import type { NewsRow } from '../../../api/news/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { newsTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    news: NewsRow;
  }
}

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
