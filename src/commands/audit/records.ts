import type { AuditRow } from '../../../api/audit/contract.ts';
import type { RecordedRow, RecordedVersion } from '../../../api/history.ts';
import { formatTime } from '../../lib/format.ts';
import type { Target } from '../../lib/scope.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    audit: AuditRow;
    /** A state of some record that the audit holds. */
    version: RecordedVersion;
  }
}

export const auditTarget = targetOf('audit', ({ command, route, at }) => `${command ?? route} ${formatTime(at)}`);

/** A recorded state; its version is the one the record has now. */
export const versionTarget = (row: RecordedVersion): Target<'version'> => ({
  entity: 'version',
  id: `${row.entity}:${row.id}`,
  version: typeof row.current?.['version'] === 'number' ? row.current['version'] : 0,
  name: `${nameIn(row.record) ?? row.recordId} · ${formatTime(row.at)}`,
  row,
});

/** What people call the record, as far as its fields tell. */
const nameIn = ({ title, email, content, address }: RecordedRow) =>
  [title, email, content, address].find((name) => typeof name === 'string');

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
