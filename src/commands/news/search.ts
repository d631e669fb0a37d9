import type { NewsRow } from '../../../api/news/contract.ts';
import { formatTime } from '../../lib/format.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
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
    find: async ({ news }, q) => (await news.list({ ...newestFirst, sort: 'time', filter: { q } })).rows,
    note: ({ time }) => formatTime(time),
    restored: {
      as: 'news',
      by: 'news.restore',
      read: ({ news }, ids, options) => news.versions({ ids }, options),
    },
  },
} as const satisfies RecordKinds;

const resourceAliases = '资讯 文章 article';

export const aliases = {
  'go.news': '资讯 文章 快讯 官网新闻 article press blog',
  'news.add': `${resourceAliases} ${commonAliases.add} 发布 发 写 publish post write`,
  'news.edit': `${resourceAliases} ${commonAliases.edit}`,
  'news.delete': `${resourceAliases} ${commonAliases.delete}`,
  'news.show': `${resourceAliases} ${commonAliases.show}`,
  'news.hide': `${resourceAliases} ${commonAliases.hide}`,
  'news.get': `${resourceAliases} 导入 抓取 采集 同步 import fetch feed rss`,
  'news.open': `${resourceAliases} ${commonAliases.open}`,
  'news.preview': `${resourceAliases} 官网 效果 样子 手机 website desktop mobile look`,
  'news.copyImage': `${resourceAliases} 拷贝 封面 配图 picture url cover`,
  'news.bin': '回收站 垃圾箱 找回 bin trash recycle-bin',
  'news.join': `${resourceAliases} 合成 双语 中英 翻译 译文 两条 merge combine bilingual translation`,
  'news.undoJoin': `${resourceAliases} 拆分 分开 还原 split separate unmerge`,
  'news.restore': `${resourceAliases} ${commonAliases.restore}`,
} as const satisfies Aliases;
