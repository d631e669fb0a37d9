import type { Aliases } from '../engine/resource.ts';

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.audit': '审计 记录 history log',
  'audit.open': '详情 details',
  'audit.export': '下载 csv download',
} as const satisfies Aliases;
