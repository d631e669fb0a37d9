import { createMeasuredNouns } from '../nouns.ts';

export const news = {
  ...createMeasuredNouns('新闻', '条'),
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
  blocked: {
    shown: '已在展示',
    hidden: '当前未展示',
    noImage: '没有图片，请先编辑补充图片地址',
    selectTwo: '请选择一条中文新闻和一条英文新闻',
    translated: '所选新闻中已有双语新闻',
    sameLanguage: '所选两条新闻语言相同',
    mayNotDelete: '合并新闻需要“删除新闻”权限',
    notJoined: '该新闻没有译文',
    mayNotRestore: '需要“恢复新闻的历史版本”权限',
  },
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
    join: {
      title: '确定合并这两条新闻？',
      act: '合并新闻',
      body: '两条新闻将合并为一条双语新闻。合并后如两条新闻均未修改，可以撤销合并。',
    },
    undoJoin: {
      title: '确定撤销合并？',
      act: '撤销合并',
      body: '两条新闻将恢复为合并前的内容和状态，官网同步恢复。',
    },
    restore: { body: '将保存为新版本；已删除的新闻恢复后默认不展示。' },
  },
};
