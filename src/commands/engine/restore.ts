import type { RecordedRow } from '../../../api/history.ts';
import type { Target } from '../../lib/scope.ts';
import { no, one } from './define.ts';

/** What every command that brings a recorded state back has in common. `restored` are the fields it brings back. */
export const restoring = (entity: string, restored: readonly string[]) =>
  ({
    icon: 'history',
    target: one('version'),
    params: null,
    danger: 'reversible',
    confirm: true,
    when: ({ targets: [target] }: { targets: readonly Target<'version'>[] }) => {
      if (target?.row.entity !== entity) return no('audit.blocked.otherRecord');
      const { record, current } = target.row;
      return restored.some((name) => current?.[name] !== record[name]) || no('audit.blocked.same');
    },
    changes: ({ targets: [target] }: { targets: readonly Target<'version'>[] }) => {
      const { record = {}, current = null } = target?.row ?? {};
      const pick = (row: RecordedRow) => Object.fromEntries(restored.map((name) => [name, row[name]]));
      return { entity, before: current && pick(current), after: pick(record) };
    },
  }) as const;

/** The one version a restore runs on: what its route is asked for, and the record as it was seen. */
export function versionOf([target]: readonly Target<'version'>[]) {
  if (!target) throw new Error('a restore runs on one version');
  const [entry = '', state] = target.row.id.split(':');
  const { current } = target.row;
  return {
    current,
    asked: {
      entry,
      state: state === 'before' ? ('before' as const) : ('after' as const),
      version: current === null ? null : target.version,
    },
  };
}
