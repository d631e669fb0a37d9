export const news = {
  count: ' {{count}} 条新闻',
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
    show: {
      title: ({ count }: { count: number }) => (count === 1 ? '确定展示该新闻？' : `确定展示这 ${count} 条新闻？`),
      act: ({ count }: { count: number }) => `展示 ${count} 条新闻`,
    },
    hide: {
      title: ({ count }: { count: number }) => (count === 1 ? '确定隐藏该新闻？' : `确定隐藏这 ${count} 条新闻？`),
      act: ({ count }: { count: number }) => `隐藏 ${count} 条新闻`,
    },
    delete: {
      title: ({ count }: { count: number }) => (count === 1 ? '确定删除该新闻？' : `确定删除这 ${count} 条新闻？`),
      act: ({ count }: { count: number }) => `删除 ${count} 条新闻`,
      body: '将从列表和官网移除。可撤销，也可在“已删除的新闻”中恢复；恢复后默认不展示。',
    },
    restore: {
      title: '确定恢复到此版本？',
      act: '恢复此版本',
      body: '将保存为新版本；已删除的新闻恢复后默认不展示。',
    },
  },
};
