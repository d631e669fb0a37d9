import { measured } from '../nouns.ts';

export const news = {
  ...measured('新闻', '条'),
  title: '新闻管理',
  none: '暂无新闻',
  field: {
    title: '标题',
    description: '描述',
    image: '图片地址',
    picture: '图片',
    time: '时间',
    link: '链接',
    status: '状态',
    createdAt: '创建时间',
    feedItems: '新闻',
  },
  status: { shown: '展示', hidden: '不展示' },
  missing: { 'zh-CN': '缺中文', 'en-US': '缺英文' },
  blocked: { shown: '已在展示', hidden: '当前未展示', noImage: '没有图片，请先编辑补充图片地址' },
  empty: '管理官网新闻。新增新闻，或从订阅源获取。',
  known: '已存在',
  imported: ({ count }: { count: number }) => (count > 0 ? `已导入 ${count} 条新闻，默认不展示` : '所选新闻均已存在'),
  search: '搜索标题…',
  kinds: {
    feed: '新闻订阅源',
    news: '新闻',
  },
  ask: {
    show: { body: '展示时段内的立即在官网展示，未开始的到时展示。' },
    delete: { body: '将从列表和官网移除。可撤销，也可在“已删除的新闻”中恢复；恢复后默认不展示。' },
    restore: { body: '将保存为新版本；已删除的新闻恢复后默认不展示。' },
  },
};
