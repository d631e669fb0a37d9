import type { Functions, Name } from '../naming.ts';

export const auditNames = {
  'audit.open': { zh: '查看日志详情', en: 'Open audit entry' },
  'audit.export': { zh: '导出操作日志', en: 'Export audit log' },
} as const satisfies Record<string, Name>;

export const auditFunctions = {
  '/audit': ['audit.export'],
} as const satisfies Functions<typeof auditNames>;
