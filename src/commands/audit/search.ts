import type { AuditRow } from '../../../api/audit/contract.ts';
import { newest, type RecordKinds, type Aliases } from '../engine/resource.ts';
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
    find: async ({ audit }, entityId) => (await audit.list({ ...newest, sort: 'time', filter: { entityId } })).rows,
  },
} as const satisfies RecordKinds;

/** Other words people search its commands by, in both languages. */
export const aliases = {
  'go.audit': '审计 记录 history log',
  'audit.open': '详情 details',
  'audit.export': '下载 csv download',
} as const satisfies Aliases;
