import type { AuditRow } from '../../../api/audit/contract.ts';
import { commonAliases } from '../engine/common-aliases.ts';
import { newestFirst, type RecordKinds, type Aliases } from '../engine/resource.ts';
import { auditTarget } from './commands.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    audit: AuditRow;
  }
}

export const records = {
  audit: {
    target: auditTarget,
    place: '/audit',
    read: ({ audit }, ids) => audit.many({ ids }),
    open: 'audit.open',
    by: ['id'],
    find: async ({ audit }, entityId) => (await audit.list({ ...newestFirst, sort: 'time', filter: { entityId } })).rows,
  },
} as const satisfies RecordKinds;

export const aliases = {
  'go.audit': '审计 登录日志 登录记录 谁改的 操作记录 历史版本 登录 history trail sign-ins login who-changed',
  'audit.open': `${commonAliases.open} 谁改的 变更 changes diff who-changed`,
  'audit.export': `${commonAliases.export} 审计 登录日志 trail`,
} as const satisfies Aliases;
