import type { Aliases } from '../engine/resource.ts';

/** Other words people search the command by, in both languages. */
export const aliases = {
  'go.help': '帮助 手册 使用手册 员工手册 教程 说明书 怎么用 help handbook manual guide tutorial documentation',
} as const satisfies Aliases;
