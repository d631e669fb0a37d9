import type { Aliases } from '../engine/resource.ts';

export const aliases = {
  'go.home': '主页 工作台 仪表盘 看板 待办 我的待办 dashboard start-page todo task',
} as const satisfies Aliases;
