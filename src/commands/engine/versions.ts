import type { RecordedRow, RecordedVersion } from '../../../api/history.ts';
import { formatTime } from '../../lib/format.ts';
import type { Target } from '../../lib/scope.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    /** A state of some record that the audit holds. */
    version: RecordedVersion;
  }
}

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
