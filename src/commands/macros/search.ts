import type { Aliases } from '../engine/resource.ts';

export const aliases = {
  'history.open': '历史 操作记录 最近操作 我的记录 log past recent',
  'macros.add': '录制 新建宏 自动化 批处理 record automate create',
  'macros.run': '批处理 脚本 自动化 运行宏 play script automate',
  'macros.open': '编辑宏 删除宏 自动化 list edit delete',
} as const satisfies Aliases;
