import type { Functions, Name } from '../naming.ts';

export const noticeNames = {
  'notices.add': { zh: '新增公告', en: 'Add notice' },
  'notices.edit': { zh: '编辑公告', en: 'Change notice' },
  'notices.delete': { zh: '删除公告', en: 'Delete notice' },
  'notices.show': { zh: '展示公告', en: 'Show notice' },
  'notices.hide': { zh: '隐藏公告', en: 'Hide notice' },
  'notices.restore': { zh: '恢复公告的历史版本', en: 'Restore an earlier version of a notice' },
  'notices.bin': { zh: '已删除的公告', en: 'Deleted notices' },
  'notices.preview': { zh: '预览公告', en: 'Preview notice' },
  'notices.open': { zh: '查看公告', en: 'Open notice' },
} as const satisfies Record<string, Name>;

export const noticeFunctions = {
  '/notices': ['notices.add', 'notices.edit', 'notices.delete', 'notices.show', 'notices.hide', 'notices.restore'],
} as const satisfies Functions<typeof noticeNames>;
