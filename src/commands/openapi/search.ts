import type { Aliases } from '../engine/resource.ts';

/** Other words people search a command by, in both languages. */
export const aliases = {
  'go.docs': 'API 文档 接口 接口说明 开发文档 swagger openapi endpoints rest developer documentation',
} as const satisfies Aliases;
