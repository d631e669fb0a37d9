import { createMeasuredNouns } from '../nouns.ts';

export const notices = {
  ...createMeasuredNouns('公告', '条'),
  title: '公告管理',
  one: '公告',
  none: '暂无公告',
  empty: '管理官网公告，可按平台和时段展示。',
  search: '搜索公告内容…',
  field: {
    content: '公告内容',
    link: '跳转链接',
    platform: '平台',
    status: '状态',
    creatorEmail: '创建人',
    createdAt: '创建时间',
    updatedAt: '更新时间',
  },
  platform: { all: '全部', desktop: '桌面端', mobile: '移动端' },
  status: { shown: '展示', hidden: '不展示' },
  blocked: { shown: '已在展示', hidden: '当前未展示' },
  preview: {
    elsewhere: '该平台不展示此公告',
    more: '查看详情',
  },
  kinds: {
    notice: '公告',
  },
  ask: {
    show: { body: '展示时段内的立即在官网展示，未开始的到时展示。' },
    delete: { body: '将从列表和官网移除。可撤销，也可在“已删除的公告”中恢复；恢复后默认不展示。' },
    restore: { body: '将保存为新版本。已删除的公告恢复后默认不展示。' },
  },
};
