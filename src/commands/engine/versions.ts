import type { RecordedRow, RecordedVersion } from '../../../api/history.ts';
import { formatTime } from '../../lib/format.ts';
import type { Target } from '../../lib/scope.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    version: RecordedVersion;
  }
}

/** `version` is the record's current version. */

export const versionTarget = (row: RecordedVersion): Target<'version'> => ({
  entity: 'version',
  id: `${row.entity}:${row.id}`,
  version: typeof row.current?.['version'] === 'number' ? row.current['version'] : 0,
  name: `${nameIn(row.record) ?? row.recordId} · ${formatTime(row.at)}`,
  row,
});

const nameIn = ({ title, email, content, address }: RecordedRow) =>
  [title, email, content, address].find((name) => typeof name === 'string');
