import { groupDigits } from '../../../format.ts';

/** Loaded with the palette. */
export const finder = {
  placeholder: '输入命令或搜索记录…',
  placeholderChoose: '选择{{label}}…',
  placeholderStep: '输入{{label}}…',
  empty: '没有匹配的命令，请试试中文、英文或拼音。',
  enterToGoOn: '按回车继续',
  filter: '筛选：{{label}}…',
  group: {
    selection: '所选记录',
    recent: '最近使用',
    commands: '命令',
    places: '前往',
    records: '记录',
    notHere: '此处不可用',
    recentRecords: '最近打开的记录',
  },
  found: ({ count }: { count: number }) => `找到 ${groupDigits(count)} 条记录`,
  searching: '正在搜索记录…',
  drop: '移除：{{name}}',
  within: '对该记录执行命令…',
  nothingWithin: '没有可用操作。',
  optionsLoading: '加载中…',
  optionsEmpty: '暂无选项。',
  hint: {
    run: '执行',
    move: '选择',
    back: '返回',
    close: '关闭',
    open: '打开',
    commands: '可用操作',
    newTab: '在新标签页打开',
    copyLink: '复制命令链接',
  },
  preview: {
    on: '对象：{{names}}',
    more: '{{names}} 等 {{count}} 项',
    asks: '需确认',
    params: '需填写：{{fields}}',
    danger: { none: '立即执行', reversible: '可撤销', irreversible: '需确认，不可撤销', money: '需完整核对，不可撤销' },
  },
};
